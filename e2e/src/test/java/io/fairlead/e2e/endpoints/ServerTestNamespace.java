package io.fairlead.e2e.endpoints;

import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.client.transport.Transport;
import io.fairlead.controller.golden.ClusterFixture;
import io.fairlead.e2e.TestServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A namespace of a real API server without controllers, emptied when it is left.
final class ServerTestNamespace implements ClusterFixture {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final List<ResourceType> KINDS =
      List.of(
          ResourceType.SERVICES,
          ResourceType.PODS,
          ResourceType.ENDPOINTS,
          ResourceType.ENDPOINT_SLICES,
          ResourceType.EVENTS);

  private final Client client;
  private final RecordingTransport between;
  private final String namespace = "ground-" + NUMBER.incrementAndGet();

  ServerTestNamespace(TestServer server) {
    this.client = new Client(transport(server));
    this.between = new RecordingTransport(transport(server));
    ObjectNode home = Json.object();
    home.putObject("metadata").put("name", namespace);
    client.create(ResourceType.NAMESPACES, "", home);
    ObjectNode account = Json.object();
    account.putObject("metadata").put("name", "default");
    client.create(ResourceType.SERVICE_ACCOUNTS, namespace, account);
  }

  private static Transport transport(TestServer server) {
    return new HttpTransport(
        ClientConfig.of(server.url(), new Trust.Anyone(), new ClientIdentity.Token(server.token())),
        "e2e/1");
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
    return namespace;
  }

  @Override
  public List<String> writes() {
    return between.writes();
  }

  @Override
  public ObjectNode create(ResourceType type, ObjectNode object) {
    ObjectNode given = object.deepCopy();
    given.path("metadata").asObject().remove("namespace");
    if (type.equals(ResourceType.SERVICES)) {
      withoutAddress(given);
    } else if (type.equals(ResourceType.PODS)) {
      for (String list : List.of("containers", "initContainers")) {
        for (JsonNode container : given.path("spec").path(list)) {
          ((ObjectNode) container).put("image", "example.com/c");
        }
      }
    }
    JsonNode status = given.remove("status");
    ObjectNode made = client.create(type, type.namespaced() ? namespace : "", given);
    return status == null ? made : report(type, ObjectMeta.of(made).key(), status);
  }

  /// The range is not the one that the vectors name.
  private static void withoutAddress(ObjectNode service) {
    if (service.get("spec") instanceof ObjectNode spec
        && !Json.textOr(spec, "", "clusterIP").equals("None")) {
      spec.remove("clusterIP");
    }
  }

  @Override
  public ObjectNode report(String pod, ObjectNode status) {
    return report(ResourceType.PODS, new ObjectKey(namespace, pod), status);
  }

  private ObjectNode report(ResourceType type, ObjectKey key, JsonNode status) {
    ObjectNode patch = Json.object();
    patch.set("status", status);
    return client
        .raw(
            ApiRequest.with("PATCH", type.path(key) + "/status", Map.of(), patch)
                .ofType("application/merge-patch+json"))
        .object();
  }

  /// Leaves nothing that the controllers of the next test would work on.
  @Override
  public void close() {
    for (ResourceType type : KINDS) {
      client.listAll(
          type,
          namespace,
          ListOptions.ALL,
          object -> {
            ObjectKey key = new ObjectKey(namespace, Json.textOr(object, "", "metadata", "name"));
            if (!object.path("metadata").path("finalizers").isEmpty()) {
              client.patch(
                  type,
                  key,
                  PatchType.MERGE,
                  Json.parseObject(
                      "{\"metadata\":{\"finalizers\":null}}".getBytes(StandardCharsets.UTF_8)));
            }
          });
      client.deleteCollection(type, namespace, ListOptions.ALL, DeleteOptions.DEFAULT.within(0));
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> client.list(ResourceType.PODS, namespace, ListOptions.ALL).items().isEmpty());
    between.close();
    client.close();
  }
}
