package io.fairlead.controller.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.PodAddress;
import io.fairlead.controller.serving.Service;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// Random histories of one Service and its pods. After every sync the slices must hold exactly what
/// a naive look at the pods gives, each endpoint once; while the writes are made, no endpoint that
/// stays may be missing from what a consumer sees; and the writes stay within what packing allows.
class RandomHistoryTest {
  /// What a consumer sees of an endpoint, with the ports it serves.
  private record Seen(
      String address, String pod, String uid, EndpointConditions state, Set<Integer> ports) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void slicesFollowThePods(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    SliceModel model = new SliceModel();
    model.most = 1 + random.nextInt(12);
    model.port(0).put("targetPort", "http");
    Map<String, ObjectNode> trees = new TreeMap<>();
    for (int round = 0; round < 120; round++) {
      Map<String, Set<Seen>> before = expected(model);
      int changes = 1 + random.nextInt(8);
      for (int i = 0; i < changes; i++) {
        change(model, trees, random);
      }
      Map<String, Set<Seen>> after = expected(model);
      int allowed = allowedWrites(model);
      Map<String, Set<Seen>> stays = new HashMap<>();
      before.forEach(
          (family, endpoints) -> {
            Set<Seen> both = new HashSet<>(endpoints);
            both.retainAll(after.getOrDefault(family, Set.of()));
            stays.put(family, both);
          });
      String where = "seed " + seed + ", round " + round;
      int[] writes = new int[1];
      model.sync(
          slices -> {
            writes[0]++;
            stays.forEach(
                (family, endpoints) ->
                    assertThat(new HashSet<>(seen(slices, family)))
                        .as(where)
                        .containsAll(endpoints));
          });
      after.forEach(
          (family, endpoints) ->
              assertThat(seen(model.slices, family))
                  .as(where)
                  .containsExactlyInAnyOrderElementsOf(endpoints));
      assertThat(writes[0]).as("%s: writes", where).isLessThanOrEqualTo(allowed);
      assertThat(model.slices).as(where).allMatch(slice -> slice.endpoints().size() <= model.most);
      assertThat(model.sync()).as("%s: a second look", where).isEmpty();
    }
  }

  private static void change(
      SliceModel model, Map<String, ObjectNode> trees, RandomGenerator random) {
    List<String> names = List.copyOf(trees.keySet());
    int what = random.nextInt(100);
    if (names.isEmpty() || what < 35) {
      String name = "p" + random.nextInt(60);
      ObjectNode pod =
          SliceModel.podTree(
              name,
              "10.0." + random.nextInt(4) + "." + (1 + random.nextInt(250)),
              "fd00::" + (1 + random.nextInt(5000)));
      Json.child(pod, "metadata").put("uid", "uid-" + random.nextInt(1_000_000));
      ((ObjectNode) Json.child(pod, "spec").path("containers").path(0))
          .putArray("ports")
          .addObject()
          .put("name", "http")
          .put("containerPort", 8080 + random.nextInt(3));
      trees.put(name, pod);
      model.put(pod);
      return;
    }
    String name = names.get(random.nextInt(names.size()));
    ObjectNode pod = Objects.requireNonNull(trees.get(name));
    if (what < 65) {
      SliceModel.ready(pod, random.nextBoolean());
    } else if (what < 75) {
      SliceModel.terminating(pod);
    } else if (what < 92) {
      trees.remove(name);
      model.pods.remove(name);
      return;
    } else if (what < 95) {
      Json.child(pod, "status").put("phase", "Failed");
    } else if (what < 98) {
      Json.child(model.serviceTree, "metadata")
          .putObject("labels")
          .put("version", Integer.toString(random.nextInt(3)));
    } else {
      var families = model.spec().putArray("ipFamilies").add("IPv4");
      if (random.nextBoolean()) {
        families.add("IPv6");
      }
    }
    model.put(pod);
  }

  /// What should be published, by family.
  private static Map<String, Set<Seen>> expected(SliceModel model) {
    Service service = model.decoded();
    Map<String, Set<Seen>> expected = new HashMap<>();
    for (Family family : service.servedFamilies()) {
      Set<Seen> endpoints = new HashSet<>();
      for (EndpointPod pod : model.pods.values()) {
        for (PodAddress address : pod.addresses()) {
          if (address.family() == family && !pod.finished()) {
            endpoints.add(
                new Seen(
                    address.text(),
                    pod.key().name(),
                    pod.metadata().uid(),
                    EndpointConditions.of(service, pod),
                    Set.of(pod.resolve(service.ports().getFirst()).orElseThrow())));
          }
        }
      }
      expected.put(family.toString(), endpoints);
    }
    return expected;
  }

  /// What is published, doubles included.
  private static List<Seen> seen(List<Slice> slices, String family) {
    return slices.stream()
        .filter(slice -> slice.addressType().equals(family))
        .flatMap(
            slice ->
                slice.endpoints().stream()
                    .map(
                        endpoint ->
                            new Seen(
                                endpoint.addresses().getFirst(),
                                endpoint.target().name(),
                                endpoint.target().uid(),
                                endpoint.conditions(),
                                Set.of(slice.ports().getFirst().port()))))
        .toList();
  }

  /// The bound of the packing: every slice that holds something changed or gone, for each family
  /// and set of ports the new slices that what is new fills and one that is topped up, and a
  /// placeholder.
  private static int allowedWrites(SliceModel model) {
    Service service = model.decoded();
    Map<String, Set<Seen>> wanted = expected(model);
    int allowed = 0;
    for (Slice slice : model.slices) {
      Set<Seen> there = wanted.getOrDefault(slice.addressType(), Set.of());
      boolean right =
          !slice.ports().isEmpty()
              && there.containsAll(seen(List.of(slice), slice.addressType()))
              && !SliceLabels.drifted(slice, service);
      allowed += right ? 0 : 1;
    }
    for (Map.Entry<String, Set<Seen>> family : wanted.entrySet()) {
      Map<Set<Integer>, Integer> fresh = new HashMap<>();
      Set<Seen> present = new HashSet<>();
      for (Slice slice : model.slices) {
        if (!slice.ports().isEmpty()) {
          present.addAll(seen(List.of(slice), family.getKey()));
        }
      }
      for (Seen endpoint : family.getValue()) {
        if (!present.contains(endpoint)) {
          fresh.merge(endpoint.ports(), 1, Integer::sum);
        }
      }
      for (int count : fresh.values()) {
        allowed += (count + model.most - 1) / model.most + 1;
      }
      allowed += 1;
    }
    return allowed;
  }
}
