package io.fairlead.controller.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.Controllers;
import io.fairlead.controller.EndpointOptions;
import io.fairlead.controller.endpointslice.EndpointSliceOptions;
import io.fairlead.controller.golden.ClusterFixture;
import io.fairlead.controller.golden.FakeClusterFixture;
import io.fairlead.controller.mirroring.MirroringController;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import tools.jackson.databind.node.ObjectNode;

/// A cluster with the Endpoints and the mirroring controller, one worker each and no batching, so
/// that what is asked later is done later; and words to write tests in.
public final class EndpointsTestCluster implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(60);

  public final Client client;
  private final ClusterFixture ground;
  private final Client controllersClient;
  private Controllers controllers;
  private int sentinels;

  public EndpointsTestCluster() {
    this(new FakeClusterFixture());
  }

  public EndpointsTestCluster(ClusterFixture ground) {
    this.ground = ground;
    this.client = ground.client();
    this.controllersClient = new Client(ground.between());
    controllers = started();
  }

  private Controllers started() {
    return Controllers.start(
        controllersClient,
        Controllers.Options.single("PEM")
            .only(
                Controllers.list(
                    List.of("endpoints-controller", "endpointslice-mirroring-controller")))
            .with(
                new EndpointOptions(
                    1,
                    Duration.ZERO,
                    new MirroringController.Settings(1, 1000, Duration.ZERO),
                    EndpointSliceOptions.STANDARD)));
  }

  public void stop() {
    controllers.close();
  }

  public void restart() {
    controllers = started();
  }

  /// Makes an object from YAML without namespace.
  public ObjectNode create(ResourceType type, String yaml) {
    return create(type, (ObjectNode) Yaml.parse(yaml));
  }

  public ObjectNode create(ResourceType type, ObjectNode object) {
    return ground.create(type, object);
  }

  /// A Service `name` that selects `app: <name>`, port http 80 to 8080.
  public ObjectNode service(String name) {
    return create(
        ResourceType.SERVICES,
        """
        metadata: {name: NAME}
        spec:
          clusterIP: 10.96.0.1
          ipFamilies: [IPv4]
          selector: {app: NAME}
          ports: [{name: http, port: 80, targetPort: 8080, protocol: TCP}]
        """
            .replace("NAME", name));
  }

  /// Why pods are no endpoints of a Service.
  public ObjectNode reasons(String service) {
    return controllers.reasons(ground.namespace(), service);
  }

  /// A ready pod of `app`.
  public void pod(String name, String app, String ip) {
    pod(name, app, ip, true, Map.of());
  }

  /// @param ip one, or several with commas between
  public void pod(String name, String app, String ip, boolean ready, Map<String, Integer> ports) {
    ObjectNode pod = Json.object();
    pod.putObject("metadata").put("name", name).putObject("labels").put("app", app);
    ObjectNode container =
        pod.putObject("spec")
            .put("nodeName", "node-a1")
            .putArray("containers")
            .addObject()
            .put("name", "c");
    ports.forEach(
        (portName, number) ->
            container
                .withArray("ports")
                .addObject()
                .put("name", portName)
                .put("containerPort", number));
    String[] addresses = ip.split(",");
    ObjectNode status = pod.putObject("status").put("phase", "Running").put("podIP", addresses[0]);
    for (String one : addresses) {
      status.withArray("podIPs").addObject().put("ip", one);
    }
    status
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", ready ? "True" : "False")
        .put("lastTransitionTime", "2026-01-01T00:00:00Z");
    ground.create(ResourceType.PODS, pod);
  }

  public void patch(ResourceType type, String name, String yaml) {
    client.patch(type, new ObjectKey(ground.namespace(), name), PatchType.MERGE, Yaml.parse(yaml));
  }

  public void delete(ResourceType type, String name) {
    client.delete(type, new ObjectKey(ground.namespace(), name), DeleteOptions.DEFAULT);
  }

  public ObjectNode get(ResourceType type, String name) {
    return client.get(type, new ObjectKey(ground.namespace(), name));
  }

  public ObjectNode endpoints(String name) {
    return get(ResourceType.ENDPOINTS, name);
  }

  public boolean hasEndpoints(String name) {
    return client.find(ResourceType.ENDPOINTS, new ObjectKey(ground.namespace(), name)).isPresent();
  }

  public List<ObjectNode> slices() {
    return client.list(ResourceType.ENDPOINT_SLICES, ground.namespace(), ListOptions.ALL).items();
  }

  public List<ObjectNode> events() {
    return client.list(ResourceType.EVENTS, ground.namespace(), ListOptions.ALL).items();
  }

  /// Waits until all controllers have had their look at everything done so far.
  public void settle() {
    String name = "sentinel-" + sentinels++;
    service(name);
    eventually(() -> assertThat(hasEndpoints(name)).isTrue());
    pod(name, name, "10.99.0.1");
    eventually(() -> assertThat(endpoints(name).path("subsets").isEmpty()).isFalse());
    // Mirrored after everything the mirroring controller was told of before.
    create(
        ResourceType.SERVICES,
        "{metadata: {name: NAME}, spec: {clusterIP: None}}".replace("NAME", "by-hand-" + name));
    byHand("by-hand-" + name, "10.99.0.2");
    eventually(
        () ->
            assertThat(slices())
                .anyMatch(
                    slice ->
                        Json.textOr(slice, "", "metadata", "name").startsWith("by-hand-" + name)));
  }

  /// Endpoints with one address on port 80.
  public void byHand(String name, String ip) {
    create(
        ResourceType.ENDPOINTS,
        """
        metadata: {name: NAME}
        subsets: [{addresses: [{ip: "ADDRESS"}], ports: [{port: 80, protocol: TCP}]}]
        """
            .replace("NAME", name)
            .replace("ADDRESS", ip));
  }

  /// How much was written so far.
  public int mark() {
    return ground.writes().size();
  }

  /// Writes to objects of that name since the mark.
  public List<String> writesSince(int mark, String name) {
    List<String> writes = ground.writes();
    return writes.subList(mark, writes.size()).stream()
        .filter(write -> write.contains("/endpoints") && write.endsWith("/" + name))
        .toList();
  }

  public static void eventually(ThrowingCallable check) {
    await().atMost(LONG).ignoreExceptionsInstanceOf(ApiException.class).untilAsserted(check::call);
  }

  @Override
  public void close() {
    controllers.close();
    ground.close();
  }
}
