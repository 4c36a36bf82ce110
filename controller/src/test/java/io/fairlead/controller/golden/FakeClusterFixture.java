package io.fairlead.controller.golden;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.transport.Transport;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// An API in memory that keeps whatever it is given.
public final class FakeClusterFixture implements ClusterFixture {
  private final FakeApi api;
  private final Transport between;
  private final Client client;

  public FakeClusterFixture() {
    this(api());
  }

  private FakeClusterFixture(FakeApi api) {
    this(api, api);
  }

  /// @param between stands between the controllers and the server
  public FakeClusterFixture(FakeApi api, Transport between) {
    this.api = api;
    this.between = between;
    this.client = new Client(api);
  }

  /// An API with the kinds that endpoint controllers know.
  public static FakeApi api() {
    return new FakeApi(
        List.of(
            ResourceType.PODS,
            ResourceType.NODES,
            ResourceType.SERVICES,
            ResourceType.ENDPOINTS,
            ResourceType.ENDPOINT_SLICES,
            ResourceType.EVENTS));
  }

  @Override
  public Client client() {
    return client;
  }

  @Override
  public Transport between() {
    return between;
  }

  @Override
  public String namespace() {
    return "default";
  }

  @Override
  public ObjectNode create(ResourceType type, ObjectNode object) {
    return client.create(type, type.namespaced() ? namespace() : "", object);
  }

  @Override
  public ObjectNode report(String pod, ObjectNode status) {
    ObjectNode patch = Json.object();
    patch.set("status", status);
    return client.patch(ResourceType.PODS, new ObjectKey(namespace(), pod), PatchType.MERGE, patch);
  }

  @Override
  public List<String> writes() {
    return api.writes();
  }

  @Override
  public void close() {
    api.close();
  }
}
