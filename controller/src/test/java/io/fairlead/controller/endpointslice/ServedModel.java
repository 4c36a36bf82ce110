package io.fairlead.controller.endpointslice;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.controller.golden.ClusterFixture;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.Service;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The same Service, pods and slices on a server. The controller runs only during a sync, so that
/// everything that changed before comes together.
public final class ServedModel extends SliceModel {
  private static final String HOLD = "example.com/hold";
  private static final List<String> GIVEN_BY_SERVER =
      List.of("uid", "namespace", "creationTimestamp", "deletionTimestamp");

  private final ClusterFixture ground;
  private final Client client;
  // As they were given, by name.
  private final Map<String, ObjectNode> podTrees = new TreeMap<>();
  private @Nullable ObjectNode servedTree;

  public ServedModel(ClusterFixture ground) {
    this.ground = ground;
    this.client = ground.client();
  }

  @Override
  String namespace() {
    return ground.namespace();
  }

  @Override
  boolean isReal() {
    return true;
  }

  @Override
  void put(ObjectNode pod) {
    String name = Json.textOr(pod, "", "metadata", "name");
    ObjectNode before = podTrees.put(name, pod.deepCopy());
    if (before != null && differOnlyInStatus(before, pod)) {
      pods.put(name, EndpointPod.of(V1Pod.of(ground.report(name, Json.child(pod, "status")))));
      return;
    }
    if (before != null) {
      client.delete(ResourceType.PODS, key(name), DeleteOptions.DEFAULT.within(0));
    }
    ObjectNode made = ground.create(ResourceType.PODS, held(pod));
    if (isTerminating(pod)) {
      made = client.delete(ResourceType.PODS, key(name), DeleteOptions.DEFAULT.within(0));
    }
    pods.put(name, EndpointPod.of(V1Pod.of(made)));
  }

  private static boolean differOnlyInStatus(ObjectNode one, ObjectNode other) {
    return one.path("metadata").equals(other.path("metadata"))
        && one.path("spec").equals(other.path("spec"));
  }

  private void remove(String name) {
    podTrees.remove(name);
    client.delete(ResourceType.PODS, key(name), DeleteOptions.DEFAULT.within(0));
  }

  private static boolean isTerminating(ObjectNode tree) {
    return Json.text(tree, "metadata", "deletionTimestamp") != null;
  }

  /// As a user gives it: an object that is to linger when deleted is held by a finalizer.
  private static ObjectNode held(ObjectNode tree) {
    ObjectNode given = tree.deepCopy();
    ObjectNode metadata = Json.child(given, "metadata");
    if (isTerminating(tree)) {
      metadata.putArray("finalizers").add(HOLD);
    }
    metadata.remove(GIVEN_BY_SERVER);
    return given;
  }

  private ObjectKey key(String name) {
    return new ObjectKey(ground.namespace(), name);
  }

  /// The Service as the server has it, made or changed before where the tree says so.
  @Override
  Service decoded() {
    ObjectNode before = servedTree;
    if (!serviceTree.equals(before)) {
      if (before != null && !uid(before).equals(uid(serviceTree))) {
        client.delete(ResourceType.SERVICES, key("svc"), DeleteOptions.DEFAULT);
        before = null;
      }
      if (before == null) {
        ground.create(ResourceType.SERVICES, families(held(serviceTree)));
      } else {
        change(before);
      }
      if (isTerminating(serviceTree)) {
        client.delete(ResourceType.SERVICES, key("svc"), DeleteOptions.DEFAULT);
      }
      servedTree = serviceTree.deepCopy();
    }
    return Service.of(client.get(ResourceType.SERVICES, key("svc")));
  }

  private static String uid(ObjectNode tree) {
    return Json.textOr(tree, "", "metadata", "uid");
  }

  private static ObjectNode families(ObjectNode service) {
    ObjectNode spec = Json.child(service, "spec");
    spec.put(
        "ipFamilyPolicy", spec.path("ipFamilies").size() > 1 ? "RequireDualStack" : "SingleStack");
    return service;
  }

  /// Changes what differs between the tree then and now, and leaves the rest as the server made it.
  private void change(ObjectNode before) {
    ObjectNode served = client.get(ResourceType.SERVICES, key("svc"));
    ObjectNode now = families(held(serviceTree));
    ObjectNode then = families(held(before));
    for (String part : List.of("metadata", "spec")) {
      ObjectNode target = Json.child(served, part);
      for (String member : union(then.path(part), now.path(part))) {
        JsonNode value = now.path(part).get(member);
        if (Objects.equals(value, then.path(part).get(member))) {
          continue;
        }
        if (value == null) {
          target.remove(member);
        } else {
          target.set(member, value);
        }
      }
    }
    if (now.path("spec").path("ipFamilies").size() == 1) {
      ObjectNode spec = Json.child(served, "spec");
      spec.putArray("clusterIPs").add(spec.path("clusterIP"));
    }
    client.update(ResourceType.SERVICES, served);
  }

  private static TreeSet<String> union(JsonNode one, JsonNode other) {
    TreeSet<String> names = new TreeSet<>(one.propertyNames());
    names.addAll(other.propertyNames());
    return names;
  }

  @Override
  Slice stored(SliceDraft draft, Service service, String name) {
    ObjectNode body = SliceBody.of(draft, service, Optional.empty());
    Json.child(body, "metadata").put("name", name).remove("generateName");
    return Slice.of(ground.create(ResourceType.ENDPOINT_SLICES, body));
  }

  @Override
  String sync(Consumer<List<Slice>> afterWrite) {
    decoded();
    List.copyOf(podTrees.keySet()).stream()
        .filter(name -> !pods.containsKey(name))
        .forEach(this::remove);
    pushNodes();
    int mark = ground.writes().size();
    run();
    readSlices();
    afterWrite.accept(slices);
    return count(mark, "POST", "C") + count(mark, "PUT", "U") + count(mark, "DELETE", "D");
  }

  private void run() {
    try (ControllerContext wiring =
            new ControllerContext(
                new Client(ground.between()), TimingSources.system(), InstantSource.system());
        EndpointSliceController controller =
            new EndpointSliceController(
                wiring, new EndpointSliceOptions(most, new Batching.Delay(Duration.ZERO), 1))) {
      controller.start();
      wiring.informers().start();
      new SliceControllerQuiescence(client, wiring, controller).untilDone();
    }
  }

  private String count(int mark, String method, String letter) {
    List<String> writes = ground.writes();
    long count =
        writes.subList(mark, writes.size()).stream()
            .filter(write -> write.startsWith(method + " "))
            .filter(write -> write.contains("/" + ground.namespace() + "/endpointslices"))
            .count();
    return count == 0 ? "" : count + letter;
  }

  private void pushNodes() {
    Map<String, ObjectNode> present = new HashMap<>();
    client.listAll(
        ResourceType.NODES,
        "",
        ListOptions.ALL,
        node -> present.put(Json.textOr(node, "", "metadata", "name"), node));
    for (String name : present.keySet()) {
      if (!nodes.containsKey(name)) {
        client.delete(ResourceType.NODES, new ObjectKey("", name), DeleteOptions.DEFAULT);
      }
    }
    nodes.forEach(
        (name, tree) -> {
          if (!present.containsKey(name)) {
            ground.create(ResourceType.NODES, tree);
          }
        });
  }

  /// Those that were there keep their places, new ones follow as they were made.
  private void readSlices() {
    Map<String, Slice> present = new HashMap<>();
    client.listAll(
        ResourceType.ENDPOINT_SLICES,
        ground.namespace(),
        ListOptions.ALL,
        slice -> present.put(Json.textOr(slice, "", "metadata", "name"), Slice.of(slice)));
    List<Slice> now = new ArrayList<>();
    for (Slice slice : slices) {
      Slice kept = present.remove(slice.metadata().name());
      if (kept != null) {
        now.add(kept);
      }
    }
    present.values().stream()
        .sorted(Comparator.comparingLong(s -> Long.parseLong(s.metadata().resourceVersion())))
        .forEach(now::add);
    slices.clear();
    slices.addAll(now);
  }

  @Override
  public void close() {
    ground.close();
  }
}
