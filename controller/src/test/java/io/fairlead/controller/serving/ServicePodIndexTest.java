package io.fairlead.controller.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ServicePodIndexTest {
  private final ServicePodIndex catalog = new ServicePodIndex();

  private static Service service(String name, String selector) {
    return Service.of(
        json(
            "{'metadata':{'namespace':'default','name':'%s'},'spec':{'selector':{%s}}}"
                .formatted(name, selector)));
  }

  private static ObjectNode podTree(String name, String labels) {
    return json(
        """
        {'metadata':{'namespace':'default','name':'%s','uid':'u','labels':{%s}},
         'spec':{'nodeName':'a'},
         'status':{'podIPs':[{'ip':'10.0.0.1'}],
          'conditions':[{'type':'Ready','status':'True'}]}}"""
            .formatted(name, labels));
  }

  private static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static ObjectKey key(String name) {
    return new ObjectKey("default", name);
  }

  private List<String> members(String service) {
    return catalog.members(key(service)).stream().map(pod -> pod.key().name()).toList();
  }

  @Test
  void es34AMovedLabelConcernsOnlyTheServicesBetweenWhichItMoved() {
    catalog.put(service("one", "'app':'a'"));
    catalog.put(service("two", "'app':'b'"));
    catalog.put(service("both", "'tier':'web'"));
    assertThat(catalog.put(EndpointPod.of(V1Pod.of(podTree("p", "'app':'a','tier':'web'")))))
        .containsExactlyInAnyOrder(key("one"), key("both"));
    assertThat(catalog.put(EndpointPod.of(V1Pod.of(podTree("p", "'app':'b','tier':'web'")))))
        .containsExactlyInAnyOrder(key("one"), key("two"));
    assertThat(members("one")).isEmpty();
    assertThat(members("two")).containsExactly("p");
    assertThat(members("both")).containsExactly("p");
  }

  @Test
  void whatChangesNoEndpointConcernsNobody() {
    catalog.put(service("one", "'app':'a'"));
    ObjectNode pod = podTree("p", "'app':'a'");
    catalog.put(EndpointPod.of(V1Pod.of(pod)));
    Json.child(pod, "metadata").put("resourceVersion", "7").putObject("annotations").put("a", "b");
    assertThat(catalog.put(EndpointPod.of(V1Pod.of(pod)))).isEmpty();
    Json.child(pod, "status").put("phase", "Failed");
    assertThat(catalog.put(EndpointPod.of(V1Pod.of(pod)))).containsExactly(key("one"));
    ObjectNode waiting = podTree("w", "'app':'a'");
    Json.child(waiting, "status").remove("podIPs");
    assertThat(catalog.put(EndpointPod.of(V1Pod.of(waiting)))).isEmpty();
  }

  @Test
  void aNodesZoneConcernsTheServicesWithPodsOnIt() {
    catalog.put(service("one", "'app':'a'"));
    catalog.put(service("two", "'app':'b'"));
    catalog.put(EndpointPod.of(V1Pod.of(podTree("p", "'app':'a'"))));
    ObjectNode node = json("{'metadata':{'name':'a','labels':{}}}");
    assertThat(catalog.put(EndpointNode.of(V1Node.of(node)))).containsExactly(key("one"));
    assertThat(catalog.put(EndpointNode.of(V1Node.of(node)))).isEmpty();
    assertThat(catalog.removeNode("a")).containsExactly(key("one"));
  }

  /// Services and pods come, go and change at random; the join must equal a look at everything.
  @Test
  void theJoinEqualsANaiveLook() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(5);
    Map<String, Service> services = new TreeMap<>();
    Map<String, EndpointPod> pods = new TreeMap<>();
    for (int round = 0; round < 3000; round++) {
      String labels = "'a':'%d','b':'%d'".formatted(random.nextInt(3), random.nextInt(3));
      String selector = random.nextBoolean() ? labels : "'a':'%d'".formatted(random.nextInt(3));
      String name = Integer.toString(random.nextInt(12));
      Set<String> before = selecting(services, pods.get(name));
      switch (random.nextInt(5)) {
        case 0 -> {
          Service service = service(name, random.nextInt(6) == 0 ? "" : selector);
          services.put(name, service);
          catalog.put(service);
        }
        case 1 -> {
          services.remove(name);
          catalog.removeService(key(name));
        }
        case 2 -> {
          pods.remove(name);
          assertThat(names(catalog.removePod(key(name)))).isEqualTo(before);
        }
        default -> {
          EndpointPod pod = EndpointPod.of(V1Pod.of(podTree(name, labels)));
          boolean isNew = pods.put(name, pod) == null;
          Set<String> after = selecting(services, pod);
          Set<String> moved = new HashSet<>(before);
          moved.addAll(after);
          Set<String> stayed = new HashSet<>(before);
          stayed.retainAll(after);
          moved.removeAll(stayed);
          assertThat(names(catalog.put(pod))).isEqualTo(isNew ? after : moved);
        }
      }
      for (String service : services.keySet()) {
        assertThat(members(service))
            .as("round %d", round)
            .isEqualTo(
                pods.values().stream()
                    .filter(pod -> selecting(services, pod).contains(service))
                    .map(pod -> pod.key().name())
                    .toList());
      }
    }
  }

  private static Set<String> names(Set<ObjectKey> keys) {
    Set<String> names = new HashSet<>();
    keys.forEach(key -> names.add(key.name()));
    return names;
  }

  private static Set<String> selecting(
      Map<String, Service> services, @org.jspecify.annotations.Nullable EndpointPod pod) {
    Set<String> selecting = new HashSet<>();
    if (pod != null) {
      services.forEach(
          (name, service) -> {
            if (service.selects(pod.labels())) {
              selecting.add(name);
            }
          });
    }
    return selecting;
  }
}
