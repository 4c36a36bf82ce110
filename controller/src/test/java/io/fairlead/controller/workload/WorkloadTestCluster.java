package io.fairlead.controller.workload;

import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.Discovery;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.controller.garbage.GarbageCollector;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGeneratorFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An API in memory, controllers that run when they are told to, and a clock that stands still: a
/// cluster that can be looked at after every step. The part of the nodes is played by the test.
public final class WorkloadTestCluster implements AutoCloseable {
  public static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<ResourceType> KINDS =
      List.of(
          ResourceType.PODS,
          ResourceType.NODES,
          ResourceType.SERVICES,
          ResourceType.EVENTS,
          ResourceType.LEASES,
          ResourceType.CONFIG_MAPS,
          ResourceType.ENDPOINTS,
          ResourceType.SERVICE_CIDRS,
          ResourceType.DEPLOYMENTS,
          ResourceType.REPLICA_SETS,
          ResourceType.STATEFUL_SETS,
          ResourceType.DAEMON_SETS,
          ResourceType.JOBS,
          ResourceType.SECRETS,
          ResourceType.CRON_JOBS,
          ResourceType.REPLICATION_CONTROLLERS,
          ResourceType.POD_DISRUPTION_BUDGETS,
          ResourceType.RESOURCE_QUOTAS,
          ResourceType.PERSISTENT_VOLUMES,
          ResourceType.CERTIFICATE_SIGNING_REQUESTS,
          ResourceType.CONTROLLER_REVISIONS,
          ResourceType.PERSISTENT_VOLUME_CLAIMS);

  public final ManualClock clock = new ManualClock();
  public final FakeApi api;
  public final Client client;
  private final ControllerContext wiring;
  private final List<Controller> controllers = new ArrayList<>();
  private final Map<ResourceType, Informer<?>> seen = new LinkedHashMap<>();

  public WorkloadTestCluster(List<Function<ControllerContext, Controller>> makers) {
    var random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
    api = new FakeApi(KINDS, clock, random);
    client = new Client(api);
    wiring =
        new ControllerContext(
            new Client(api), new TimingSources(clock, Pacer.system(), random), clock);
    for (Function<ControllerContext, Controller> maker : makers) {
      controllers.add(maker.apply(wiring));
    }
  }

  /// Has the server refuse every write to an object of that name.
  public void refuseWritesTo(String plural, String name) {
    String path = "/" + plural + "/" + name;
    api.intercept(
        request -> {
          boolean write = !request.method().equals("GET");
          if (write && (request.path() + "/").contains(path + "/")) {
            throw new ApiException(Status.of(403, "Forbidden", "no writes to " + name));
          }
        });
  }

  /// Says which informers must have seen everything before the controllers are run.
  public <T extends HasMetadata> WorkloadTestCluster sees(InformerKind<T> kind, ResourceType type) {
    seen.put(type, wiring.informers().of(kind));
    return this;
  }

  /// Lets that informer stay behind from now on, as one whose watch is broken does.
  public void seesLate(ResourceType type) {
    seen.remove(type);
  }

  public WorkloadTestCluster start() {
    controllers.forEach(Controller::start);
    wiring.informers().start();
    settle();
    return this;
  }

  /// A collector that really runs, for deletions that cascade.
  public GarbageCollector collector() {
    GarbageCollector collector =
        new GarbageCollector(
            client,
            Discovery.of(client),
            wiring.events("garbage-collector-controller"),
            TimingSources.system());
    collector.start();
    return collector;
  }

  /// Runs the controllers until they have seen everything and have nothing more to do now.
  public void settle() {
    while (true) {
      await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .until(this::seesAll);
      int worked = 0;
      for (Controller controller : controllers) {
        worked += controller.loop().runDue();
      }
      if (worked == 0 && seesAll()) {
        return;
      }
    }
  }

  /// Runs them until something has come true.
  public void until(Callable<Boolean> condition) {
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              settle();
              return condition.call();
            });
  }

  public void advance(Duration time) {
    clock.advance(time);
    settle();
  }

  private boolean seesAll() {
    return seen.entrySet().stream().allMatch(one -> sees(one.getKey(), one.getValue()));
  }

  private boolean sees(ResourceType type, Informer<?> informer) {
    Map<ObjectKey, String> there = new LinkedHashMap<>();
    list(type).forEach(one -> there.put(ObjectKey.of(one), ObjectMeta.of(one).resourceVersion()));
    Map<ObjectKey, String> known = new LinkedHashMap<>();
    informer
        .list()
        .forEach(one -> known.put(one.metadata().key(), one.metadata().resourceVersion()));
    return informer.hasSynced() && known.equals(there);
  }

  public List<ObjectNode> list(ResourceType type) {
    List<ObjectNode> found = new ArrayList<>();
    client.listAll(type, "", ListOptions.ALL, found::add);
    return found;
  }

  public List<ObjectNode> list(ResourceType type, Predicate<ObjectNode> which) {
    return list(type).stream().filter(which).toList();
  }

  public ObjectNode get(ResourceType type, String name) {
    return client.get(type, key(type, name));
  }

  public boolean exists(ResourceType type, String name) {
    return client.find(type, key(type, name)).isPresent();
  }

  private static ObjectKey key(ResourceType type, String name) {
    return new ObjectKey(type.namespaced() ? "default" : "", name);
  }

  /// Creates what a manifest says.
  public ObjectNode create(ResourceType type, String yaml) {
    ObjectNode body = (ObjectNode) Yaml.parse(yaml);
    return client.create(type, type.namespaced() ? "default" : "", body);
  }

  /// Merges a patch, given as YAML, into an object.
  public ObjectNode patch(ResourceType type, String name, String yaml) {
    return client.patch(type, key(type, name), PatchType.MERGE, Yaml.parse(yaml));
  }

  public void patchStatus(ResourceType type, String name, JsonNode status) {
    ObjectNode object = get(type, name);
    object.set("status", status);
    client.update(type, "status", object);
  }

  public void delete(ResourceType type, String name, DeleteOptions how) {
    client.delete(type, key(type, name), how);
  }

  public List<WorkloadPod> pods() {
    return list(ResourceType.PODS).stream().map(pod -> WorkloadPod.of(V1Pod.of(pod))).toList();
  }

  public WorkloadPod pod(String name) {
    return WorkloadPod.of(V1Pod.of(get(ResourceType.PODS, name)));
  }

  /// The node says: this pod runs, and is ready or not.
  public void runs(String pod, boolean ready) {
    ObjectNode object = get(ResourceType.PODS, pod);
    if (Json.textOr(object, "", "spec", "nodeName").isEmpty()) {
      patch(ResourceType.PODS, pod, "spec: {nodeName: n1}");
    }
    ObjectNode status = Json.object().put("phase", "Running");
    status
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", ready ? "True" : "False")
        .put("lastTransitionTime", clock.instant().toString());
    patchStatus(ResourceType.PODS, pod, status);
  }

  /// The node says: this pod has ended.
  public void ends(String pod, String phase) {
    if (pod(pod).nodeName().isEmpty()) {
      patch(ResourceType.PODS, pod, "spec: {nodeName: n1}");
    }
    patchStatus(ResourceType.PODS, pod, Json.object().put("phase", phase));
  }

  /// The nodes have stopped all pods that are being deleted.
  public void reap() {
    for (WorkloadPod pod : pods()) {
      if (pod.terminating()) {
        client.delete(
            ResourceType.PODS, pod.key(), DeleteOptions.DEFAULT.onlyUid(pod.uid()).within(0));
      }
    }
    settle();
  }

  /// All pods become ready and all deleted ones go, again and again, until nothing moves.
  public void runEverything() {
    int before = -1;
    while (before != api.writes().size()) {
      before = api.writes().size();
      settle();
      for (WorkloadPod pod : pods()) {
        if (pod.active() && !pod.ready()) {
          runs(pod.key().name(), true);
        }
      }
      reap();
    }
  }

  public List<String> messages(String reason) {
    return list(ResourceType.EVENTS, event -> reason.equals(Json.text(event, "reason"))).stream()
        .map(event -> Json.textOr(event, "", "message"))
        .toList();
  }

  @Override
  public void close() {
    controllers.reversed().forEach(Controller::close);
    wiring.close();
    client.close();
  }
}
