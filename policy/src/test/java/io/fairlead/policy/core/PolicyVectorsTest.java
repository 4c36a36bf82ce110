package io.fairlead.policy.core;

import static io.fairlead.policy.core.Vector.ALL;
import static io.fairlead.policy.core.Vector.WORLD;
import static io.fairlead.policy.core.Vector.from;
import static io.fairlead.policy.core.Vector.policy;
import static io.fairlead.policy.core.Vector.ports;
import static io.fairlead.policy.core.Vector.vector;

import io.fairlead.api.json.Json;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// The vectors about reading, peers and ports.
public class PolicyVectorsTest {
  public static Stream<Vector> readingAndDefaults() {
    return Stream.of(
        policy(
            "PV1 podSelector only isolates ingress",
            "{podSelector: {}}",
            "80/TCP x/a <- ",
            "80/TCP x/b <- ",
            "80/TCP x/c <- 192.168.0.2",
            "x/a -> y/a:80/TCP",
            "x/a -> z/c:81/UDP",
            "x/a -> 192.0.2.9:80/TCP"),
        policy("PV2 ingress []", "{podSelector: {}, ingress: []}", "80/TCP x/a <- "),
        policy("PV2 ingress null", "{podSelector: {}, ingress: null}", "80/TCP x/a <- "),
        policy(
            "PV3 one empty rule allows all",
            "{podSelector: {}, ingress: [{}]}",
            "80/TCP x/a <- " + WORLD,
            "y/a -> x/a:1/ICMP"),
        policy("PV4 from []", "{podSelector: {}, ingress: [{from: []}]}", "80/TCP x/a <- " + WORLD),
        policy(
            "PV4 ports []", "{podSelector: {}, ingress: [{ports: []}]}", "80/TCP x/a <- " + WORLD),
        policy(
            "PV4 null",
            "{podSelector: {}, ingress: [{from: null, ports: null}]}",
            "80/TCP x/a <- " + WORLD),
        policy(
            "PV5 policyTypes Egress without rules",
            "{podSelector: {}, policyTypes: [Egress]}",
            "x/a -/> y/a:80/TCP",
            "x/a -/> x/b:80/TCP",
            "x/a -/> 192.0.2.9:80/TCP",
            "x/a -> 192.168.0.1:80/TCP",
            "x/a -> x/a:80/TCP",
            "80/TCP x/a <- y/a y/b y/c z/a z/b z/c 192.0.2.9 192.168.0.2"),
        policy(
            "PV6 an egress rule adds the type",
            "{podSelector: {}, egress: [{}]}",
            "x/a -> y/a:80/TCP",
            "x/a -> 192.0.2.9:53/UDP",
            "80/TCP x/a <- "),
        policy(
            "PV7 egress rules without the type",
            "{podSelector: {}, policyTypes: [Ingress], egress: [{ports: [{port: 1}]}]}",
            "x/a -> y/a:80/TCP",
            "80/TCP x/a <- "),
        policy(
            "PV8 ingress rules without the type",
            "{podSelector: {}, policyTypes: [Egress], ingress: [{ports: [{port: 1}]}]}",
            "y/a -> x/a:80/TCP",
            "x/a -/> y/a:80/TCP"),
        policy(
            "PV9 both types without rules",
            "{podSelector: {}, policyTypes: [Ingress, Egress]}",
            "80/TCP x/a <- ",
            "x/a -/> y/a:80/TCP",
            "192.168.0.1 -> x/a:80/TCP",
            "x/a -> 192.168.0.1:53/UDP",
            "x/a -> x/a:80/TCP"),
        policy(
            "PV10 one pod only",
            "{podSelector: {matchLabels: {pod: a}}}",
            "80/TCP x/a <- ",
            "80/TCP x/b <- " + WORLD),
        policy(
            "PV11 an empty peer matches nothing",
            "{podSelector: {}, ingress: [{from: [{}, {podSelector: {matchLabels: {pod: b}}}]}]}",
            "80/TCP x/a <- x/b"),
        policy(
            "PV12 an except outside matches nothing",
            "{podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/8, except: [11.0.0.0/8]}}]}]}",
            "80/TCP x/a <- "),
        policy(
            "PV13 endPort below port",
            "{podSelector: {}, ingress: [{ports: [{port: 81, endPort: 80}]}]}",
            "80/TCP x/a <- ",
            "81/TCP x/a <- "),
        policy(
            "PV13 endPort with a name",
            "{podSelector: {}, ingress: [{ports: [{port: serve-80-tcp, endPort: 90}]}]}",
            "80/TCP x/a <- "));
  }

  public static Stream<Vector> peers() {
    return Stream.of(
        from(
            "PV14 pods of the own namespace",
            "[{podSelector: {matchLabels: {pod: b}}}]",
            "80/TCP x/a <- x/b"),
        from(
            "PV15 a namespace",
            "[{namespaceSelector: {matchLabels: {ns: 'y'}}}]",
            "80/TCP x/a <- y/a y/b y/c"),
        from(
            "PV16 pods of a namespace",
            "[{namespaceSelector: {matchLabels: {ns: 'y'}}, podSelector: {matchLabels: {pod: b}}}]",
            "80/TCP x/a <- y/b"),
        from(
            "PV17 either of two",
            "[{namespaceSelector: {matchLabels: {ns: 'y'}}}, {podSelector: {matchLabels: {pod: b}}}]",
            "80/TCP x/a <- y/a y/b y/c x/b"),
        from("PV18 all pods, nothing else", "[{namespaceSelector: {}}]", "80/TCP x/a <- " + ALL),
        from("PV19 all of the namespace", "[{podSelector: {}}]", "80/TCP x/a <- x/b x/c"),
        from(
            "PV20 In",
            "[{podSelector: {matchExpressions: [{key: pod, operator: In, values: [b, c]}]}}]",
            "80/TCP x/a <- x/b x/c"),
        from(
            "PV21 NotIn and In",
            "[{namespaceSelector: {matchExpressions: [{key: ns, operator: NotIn, values: [x]}]}, podSelector: {matchExpressions: [{key: pod, operator: In, values: [b, c]}]}}]",
            "80/TCP x/a <- y/b y/c z/b z/c"),
        from(
            "PV22 NotIn or a pod",
            "[{namespaceSelector: {matchExpressions: [{key: ns, operator: NotIn, values: [x]}]}}, {podSelector: {matchLabels: {pod: b}}}]",
            "80/TCP x/a <- y/a y/b y/c z/a z/b z/c x/b"),
        from(
            "PV23 the name label",
            "[{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: 'y'}}}]",
            "80/TCP x/a <- y/a y/b y/c"),
        from(
            "PV24 DoesNotExist",
            "[{podSelector: {matchExpressions: [{key: tier, operator: DoesNotExist}]}}]",
            "80/TCP x/a <- x/b x/c",
            "! label x/b tier 1",
            "80/TCP x/a <- x/c"),
        from(
            "PV25 a label no namespace has yet",
            "[{namespaceSelector: {matchExpressions: [{key: team, operator: Exists}]}}]",
            "80/TCP x/a <- ",
            "! namespace y team 1",
            "80/TCP x/a <- y/a y/b y/c"),
        from(
            "PV26 two labels",
            "[{podSelector: {matchLabels: {pod: b, pod2: new}}}]",
            "80/TCP x/a <- ",
            "! label x/b pod2 new",
            "80/TCP x/a <- x/b"),
        vector(
            "PV27 a hostNetwork pod is its node",
            world -> {
              ObjectNode pod = world.pod("x/h", "node2", World.NODE_2);
              World.labels(pod).put("pod", "b");
              Json.child(pod, "spec").put("hostNetwork", true);
              world.putPod(pod);
              world.putPolicy(
                  "p",
                  "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{podSelector: {matchLabels: {pod: b}}}]}]}");
            },
            "80/TCP x/a <- x/b",
            "! policy p {podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{ipBlock: {cidr: 192.168.0.2/32}}]}]}",
            "80/TCP x/a <- 192.168.0.2"),
        vector(
            "PV28 policies add up",
            world -> {
              world.putPolicy(
                  "p",
                  "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{namespaceSelector: {matchLabels: {ns: 'y'}}}]}]}");
              world.putPolicy(
                  "q",
                  "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{namespaceSelector: {matchLabels: {ns: z}}}]}]}");
            },
            "80/TCP x/a <- y/a y/b y/c z/a z/b z/c"),
        vector(
            "PV29 deny all and allow one",
            world -> {
              world.putPolicy("p", "{podSelector: {}}");
              world.putPolicy(
                  "q",
                  "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{namespaceSelector: {}}]}]}");
            },
            "80/TCP x/a <- " + ALL,
            "80/TCP x/b <- "));
  }

  public static Stream<Vector> portVectors() {
    return Stream.of(
        ports(
            "PV30 TCP 80",
            "[{protocol: TCP, port: 80}]",
            "y/a -> x/a:80/TCP",
            "y/a -/> x/a:80/UDP",
            "y/a -/> x/a:81/TCP"),
        ports(
            "PV31 UDP",
            "[{protocol: UDP}]",
            "y/a -> x/a:80/UDP",
            "y/a -> x/a:65535/UDP",
            "y/a -> x/a:0/UDP",
            "y/a -/> x/a:80/TCP"),
        ports("PV32 TCP by default", "[{port: 80}]", "y/a -> x/a:80/TCP", "y/a -/> x/a:80/UDP"),
        ports(
            "PV33 a range",
            "[{port: 80, endPort: 81}]",
            "y/a -> x/a:80/TCP",
            "y/a -> x/a:81/TCP",
            "y/a -/> x/a:82/TCP"),
        ports(
            "PV34 all of TCP and one of UDP",
            "[{port: 1, endPort: 65535}, {protocol: UDP, port: 53}]",
            "y/a -> x/a:1/TCP",
            "y/a -> x/a:65535/TCP",
            "y/a -> x/a:53/UDP",
            "y/a -/> x/a:54/UDP"),
        ports(
            "PV35 SCTP only",
            "[{protocol: SCTP, port: 80}]",
            "y/a -> x/a:80/SCTP",
            "y/a -/> x/a:80/TCP",
            "y/a -/> x/a:81/TCP"),
        vector(
            "PV36 ports of two policies",
            world -> {
              world.putPolicy(
                  "p",
                  "{podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {ns: 'y'}}}], ports: [{port: 81}]}]}");
              world.putPolicy(
                  "q",
                  "{podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {ns: 'y'}}}], ports: [{port: 80}]}]}");
            },
            "y/a -> x/a:80/TCP",
            "y/b -> x/a:81/TCP",
            "z/a -/> x/a:80/TCP"),
        vector(
            "PV37 everything wins",
            world -> {
              world.putPolicy("p", "{podSelector: {}, ingress: [{ports: [{port: 80}]}]}");
              world.putPolicy("q", "{podSelector: {}, ingress: [{}]}");
            },
            "y/a -> x/a:4711/UDP",
            "y/a -> x/a:0/ICMP"),
        policy(
            "PV38 rules do not mix",
            "{podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {ns: 'y'}}}], ports: [{port: 80}]}, {from: [{namespaceSelector: {matchLabels: {ns: z}}}], ports: [{protocol: UDP, port: 81}]}]}",
            "y/a -> x/a:80/TCP",
            "y/a -/> x/a:81/UDP",
            "z/a -> x/a:81/UDP",
            "z/a -/> x/a:80/TCP"),
        vector(
            "PV39 ranges overlap",
            world -> {
              world.putPolicy(
                  "p", "{podSelector: {}, ingress: [{ports: [{port: 80, endPort: 90}]}]}");
              world.putPolicy(
                  "q", "{podSelector: {}, ingress: [{ports: [{port: 85, endPort: 100}]}]}");
            },
            "y/a -> x/a:80/TCP",
            "y/a -> x/a:100/TCP",
            "y/a -/> x/a:101/TCP"),
        from(
            "PV40 ICMP needs a rule without ports",
            "[{podSelector: {matchLabels: {pod: b}}}]",
            "x/b -> x/a:0/ICMP",
            "y/b -/> x/a:0/ICMP",
            "! policy p {podSelector: {}, ingress: [{from: [{podSelector: {matchLabels: {pod: b}}}], ports: [{port: 80}]}]}",
            "x/b -/> x/a:0/ICMP",
            "x/b -> x/a:80/TCP"));
  }

  @ParameterizedTest
  @MethodSource({"readingAndDefaults", "peers", "portVectors"})
  void holds(Vector vector) {
    vector.run();
  }
}
