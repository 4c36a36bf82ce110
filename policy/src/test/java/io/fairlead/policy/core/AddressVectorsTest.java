package io.fairlead.policy.core;

import static io.fairlead.policy.core.Vector.WORLD;
import static io.fairlead.policy.core.Vector.from;
import static io.fairlead.policy.core.Vector.policy;
import static io.fairlead.policy.core.Vector.vector;

import io.fairlead.api.json.Json;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// The vectors about names of ports, blocks and both directions.
public class AddressVectorsTest {
  static ObjectNode ported(
      World world, String pod, String field, String name, String protocol, int number) {
    ObjectNode object = world.pod(pod);
    ObjectNode container = Json.child(object, "spec").putArray(field).addObject();
    if (field.equals("initContainers")) {
      container.put("restartPolicy", "Always");
    }
    container
        .putArray("ports")
        .addObject()
        .put("name", name)
        .put("protocol", protocol)
        .put("containerPort", number);
    return object;
  }

  public static Stream<Vector> namedPorts() {
    String named = "{podSelector: {}, ingress: [{ports: [{port: serve-81-tcp}]}]}";
    return Stream.of(
        policy(
            "PV41 a name", named, "y/a -> x/a:81/TCP", "y/a -/> x/a:80/TCP", "y/a -/> x/a:81/UDP"),
        vector(
            "PV42 each pod's own number",
            world -> {
              world.putPod(ported(world, "x/b", "containers", "serve-81-tcp", "TCP", 8181));
              world.putPolicy("p", named);
            },
            "y/a -> x/a:81/TCP",
            "y/a -> x/b:8181/TCP",
            "y/a -/> x/b:81/TCP"),
        vector(
            "PV43 a pod without the name",
            world -> {
              world.putPod(ported(world, "x/b", "containers", "other", "TCP", 81));
              world.putPolicy("p", named);
            },
            "y/a -> x/a:81/TCP",
            "y/a -/> x/b:81/TCP"),
        vector(
            "PV44 the name of another protocol",
            world -> {
              world.putPod(ported(world, "x/b", "containers", "serve-81-tcp", "UDP", 81));
              world.putPolicy("p", named);
            },
            "y/a -/> x/b:81/TCP",
            "y/a -/> x/b:81/UDP"),
        vector(
            "PV45 a sidecar's name",
            world -> {
              world.putPod(ported(world, "x/b", "initContainers", "metrics", "TCP", 9100));
              ObjectNode plain = ported(world, "x/a", "initContainers", "metrics", "TCP", 9100);
              ((ObjectNode) plain.at("/spec/initContainers/0")).remove("restartPolicy");
              world.putPod(plain);
              world.putPolicy("p", "{podSelector: {}, ingress: [{ports: [{port: metrics}]}]}");
            },
            "y/a -> x/b:9100/TCP",
            "y/a -/> x/a:9100/TCP"),
        vector(
            "PV46 a name twice",
            world -> {
              ObjectNode pod = world.pod("x/b");
              var containers = Json.child(pod, "spec").putArray("containers");
              containers
                  .addObject()
                  .putArray("ports")
                  .addObject()
                  .put("name", "web")
                  .put("containerPort", 80);
              containers
                  .addObject()
                  .putArray("ports")
                  .addObject()
                  .put("name", "web")
                  .put("containerPort", 8080);
              world.putPod(pod);
              world.putPolicy("p", "{podSelector: {}, ingress: [{ports: [{port: web}]}]}");
            },
            "y/a -> x/b:80/TCP",
            "y/a -> x/b:8080/TCP",
            "y/a -/> x/b:81/TCP"),
        policy(
            "PV47 egress by name to anyone",
            "{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: serve-80-tcp}]}]}",
            "x/a -> y/a:80/TCP",
            "x/a -> z/c:80/TCP",
            "x/a -/> y/a:81/TCP",
            "x/a -/> 192.0.2.9:80/TCP"),
        vector(
            "PV48 each destination's own number",
            world -> {
              world.putPod(ported(world, "y/a", "containers", "serve-80-tcp", "TCP", 8080));
              world.putPolicy(
                  "p",
                  "{podSelector: {}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {matchLabels: {ns: 'y'}}}], ports: [{port: serve-80-tcp}]}]}");
            },
            "x/a -> y/a:8080/TCP",
            "x/a -> y/b:80/TCP",
            "x/a -/> y/a:80/TCP",
            "x/a -/> z/a:80/TCP"),
        vector(
            "PV49 names in a block",
            world -> {
              world.putPod(ported(world, "y/a", "containers", "serve-80-tcp", "TCP", 8080));
              world.putPolicy(
                  "p",
                  "{podSelector: {}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 10.244.0.0/16}}], ports: [{port: serve-80-tcp}]}]}");
            },
            "x/a -> y/a:8080/TCP",
            "x/a -> y/b:80/TCP",
            "x/a -> z/c:80/TCP",
            "x/a -/> y/a:80/TCP",
            "x/a -/> 10.244.1.99:80/TCP"));
  }

  private static Vector egress(String name, String peers, String... expected) {
    return policy(
        name,
        "{podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress], egress: [{to: "
            + peers
            + "}]}",
        expected);
  }

  public static Stream<Vector> blocks() {
    return Stream.of(
        egress(
            "PV50 one address",
            "[{ipBlock: {cidr: 10.244.1.22/32}}]",
            "x/a -> y/b:80/TCP",
            "x/a -/> y/a:80/TCP",
            "x/a -/> x/b:80/TCP"),
        egress(
            "PV51 an except",
            "[{ipBlock: {cidr: 10.244.0.0/16, except: [10.244.1.12/32]}}]",
            "x/a -/> x/b:80/TCP",
            "x/a -> y/b:80/TCP",
            "x/a -> z/c:80/TCP",
            "x/a -/> 192.0.2.9:80/TCP"),
        egress(
            "PV52 an except that another entry allows",
            "[{ipBlock: {cidr: 10.244.0.0/16, except: [10.244.1.12/32]}}, {ipBlock: {cidr: 10.244.1.12/32}}]",
            "x/a -> x/b:80/TCP",
            "x/a -> y/b:80/TCP"),
        from(
            "PV53 blocks inside excepts",
            "[{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}, {ipBlock: {cidr: 10.1.2.0/24}}]",
            "10.1.2.5 -> x/a:80/TCP",
            "10.1.3.5 -/> x/a:80/TCP",
            "10.2.0.1 -> x/a:80/TCP",
            "11.0.0.0 -/> x/a:80/TCP",
            "10.255.255.255 -> x/a:80/TCP"),
        from(
            "PV54 all of IPv4",
            "[{ipBlock: {cidr: 0.0.0.0/0}}]",
            "80/TCP x/a <- " + WORLD,
            "255.255.255.255 -> x/a:80/TCP",
            "0.0.0.1 -> x/a:80/TCP"),
        egress(
            "PV56 a cluster IP is no pod",
            "[{ipBlock: {cidr: 10.96.0.10/32}}]",
            "x/a -/> y/a:80/TCP"),
        policy(
            "PV57 a block and a selector for one pod",
            "{podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 10.244.1.22/32}}], ports: [{port: 80}]}, {from: [{namespaceSelector: {matchLabels: {ns: 'y'}}}], ports: [{port: 81}]}]}",
            "y/b -> x/a:80/TCP",
            "y/b -> x/a:81/TCP",
            "y/a -/> x/a:80/TCP",
            "y/a -> x/a:81/TCP"),
        from(
            "PV58 bits behind the prefix",
            "[{ipBlock: {cidr: 10.244.1.77/24}}]",
            "y/a -> x/a:80/TCP",
            "y/c -/> x/a:80/TCP"));
  }

  public static Stream<Vector> bothDirections() {
    return Stream.of(
        vector(
            "PV59 the destination decides too",
            world -> {
              world.putPolicy(
                  "x",
                  "p",
                  "{podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {matchLabels: {ns: 'y'}}}]}]}");
              world.putPolicy("y", "p", "{podSelector: {}}");
            },
            "x/a -/> y/a:80/TCP",
            "x/a -/> z/a:80/TCP"),
        vector(
            "PV60 the source decides too",
            world -> {
              world.putPolicy(
                  "x", "p", "{podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress]}");
              world.putPolicy(
                  "y",
                  "p",
                  "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{namespaceSelector: {matchLabels: {ns: x}}}]}]}");
            },
            "x/a -/> y/a:80/TCP",
            "x/b -> y/a:80/TCP"),
        policy(
            "PV61 ingress does not touch egress",
            "{podSelector: {matchLabels: {pod: a}}}",
            "x/a -> y/a:80/TCP",
            "y/a -/> x/a:80/TCP"),
        from(
            "PV63 a client by its real address",
            "[{ipBlock: {cidr: 192.0.2.0/24}}]",
            "192.0.2.9 -> x/a:80/TCP",
            "x/b -/> x/a:80/TCP"),
        from(
            "PV64 a forwarding node by its own address",
            "[{ipBlock: {cidr: 192.168.0.2/32}}]",
            "192.168.0.2 -> x/a:80/TCP",
            "192.0.2.9 -/> x/a:80/TCP"),
        from(
            "PV67 a tunnel's address",
            "[{ipBlock: {cidr: 10.244.2.0/32}}]",
            "10.244.2.0 -> x/a:80/TCP",
            "y/c -/> x/a:80/TCP"),
        policy(
            "PV67 a tunnel's address without a block",
            "{podSelector: {}}",
            "10.244.2.0 -/> x/a:80/TCP"),
        vector(
            "PV76 an address given to another pod",
            world -> {
              world.putPolicy(
                  "p",
                  "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{podSelector: {matchLabels: {pod: b}}}]}]}");
              ObjectNode ended = world.pod("x/b");
              Json.child(ended, "status").put("phase", "Succeeded");
              world.putPod(ended);
              world.putPod(world.pod("x/d", "node1", "10.244.1.12", "fd00:244:1::12"));
            },
            "10.244.1.12 -/> x/a:80/TCP"),
        vector(
            "PV77 two pods with one address",
            world -> {
              world.putPolicy(
                  "p",
                  "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{podSelector: {matchLabels: {pod: b}}}]}]}");
              ObjectNode newer = world.pod("x/d", "node1", "10.244.1.12", "fd00:244:1::12");
              Json.child(newer, "metadata").put("creationTimestamp", "2026-01-02T00:00:00Z");
              world.putPod(newer);
            },
            "10.244.1.12 -/> x/a:80/TCP",
            "! remove x/d",
            "10.244.1.12 -> x/a:80/TCP"),
        vector(
            "PV78 a terminating pod",
            world -> {
              world.putPolicy("p", "{podSelector: {}}");
              ObjectNode going = world.pod("x/a");
              Json.child(going, "metadata").put("deletionTimestamp", "2026-01-02T00:00:00Z");
              world.putPod(going);
            },
            "80/TCP x/a <- "),
        vector(
            "PV85 a namespace goes",
            world -> {
              world.putPolicy(
                  "x",
                  "p",
                  "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{namespaceSelector: {matchLabels: {ns: 'y'}}}]}]}");
              world.removeNamespace("y");
            },
            "80/TCP x/a <- ",
            "! namespace y ns y",
            "80/TCP x/a <- y/a y/b y/c",
            "! remove y/a",
            "! remove y/b",
            "! remove y/c",
            "80/TCP x/a <- ",
            "! policy-gone p",
            "80/TCP x/a <- x/b x/c z/a z/b z/c 192.0.2.9 192.168.0.2"),
        vector(
            "PV98 an address nobody has",
            _ -> {},
            "10.244.1.99 -/> x/a:80/TCP",
            "x/a -/> 10.244.1.99:80/TCP"));
  }

  @ParameterizedTest
  @MethodSource({"namedPorts", "blocks", "bothDirections"})
  void holds(Vector vector) {
    vector.run();
  }
}
