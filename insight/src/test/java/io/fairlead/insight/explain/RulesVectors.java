package io.fairlead.insight.explain;

import static io.fairlead.insight.explain.BaseCluster.endpoints;
import static io.fairlead.insight.explain.BaseCluster.pods;
import static io.fairlead.insight.explain.BaseCluster.service;
import static io.fairlead.insight.explain.BaseCluster.unready;
import static io.fairlead.insight.explain.ClusterChanges.alias;
import static io.fairlead.insight.explain.ClusterChanges.allocated;
import static io.fairlead.insight.explain.ClusterChanges.balancer;
import static io.fairlead.insight.explain.ClusterChanges.checks;
import static io.fairlead.insight.explain.ClusterChanges.dead;
import static io.fairlead.insight.explain.ClusterChanges.headless;
import static io.fairlead.insight.explain.ClusterChanges.nodePort;
import static io.fairlead.insight.explain.ClusterChanges.remove;
import static io.fairlead.insight.explain.ClusterChanges.rules;
import static io.fairlead.insight.explain.ExplainVector.USUAL;
import static io.fairlead.insight.explain.ExplainVector.fromNode;
import static io.fairlead.insight.explain.ExplainVector.fromPod;
import static io.fairlead.insight.explain.ExplainVector.vector;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.insight.evidence.ReachReport.Outcome;
import io.fairlead.insight.finding.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Rules, nodes, names and connections.
final class RulesVectors {
  private RulesVectors() {}

  static Stream<ExplainVector> all() {
    return Stream.of(
        vector(
            "41: a rule is missing on one node of three",
            cluster -> rules(cluster, "b", "missing"),
            Verdict.WARNINGS,
            "FL140",
            "rules are missing on b: 1",
            "! Rules: 2 of 3 nodes, newest change applied after 212 ms (kernel)",
            "Next: fairlead rules svc/hostnames -n default --diff"),
        vector(
            "41: a rule is missing on all",
            cluster -> BaseCluster.NODES.forEach(node -> rules(cluster, node, "missing")),
            Verdict.BROKEN,
            "FL140",
            "rules are missing on a: 1"),
        vector(
            "42: a rule too many",
            cluster -> rules(cluster, "b", "extra"),
            Verdict.WARNINGS,
            "FL141",
            "rules on b were changed by another program at an unknown time"),
        vector(
            "42: a repaired change has its culprit",
            cluster ->
                cluster.document(
                    "b",
                    "rules",
                    """
                    {mode: iptables, families: [{family: IPv4, present: true}],
                     drift: [{kind: drift, at: '2026-11-16T10:44:30Z', process: iptables, pid: 8121}]}
                    """),
            Verdict.WARNINGS,
            "FL141",
            "rules on b were changed by iptables at 10:44:30"),
        vector(
            "43: a proxy is dead",
            cluster -> dead(cluster, "c"),
            Verdict.WARNINGS,
            "FL143",
            "proxy on c is dead: last applied 48213, silent for 34m"),
        vector(
            "43: the same, seen from that node",
            fromNode("c").withoutProbes(),
            cluster -> dead(cluster, "c"),
            Verdict.BROKEN,
            "FL143",
            "proxy on c is dead"),
        vector(
            "43: a proxy that is behind",
            cluster ->
                Json.child(
                        Json.child(cluster.object("Lease", "fairlead-proxy-b"), "metadata"),
                        "annotations")
                    .put("fairlead.dev/written-IPv4", "48100"),
            Verdict.WARNINGS,
            "FL143",
            "proxy on b is behind: last applied 48100, not the newest endpoints"),
        vector(
            "44: policy Local, from outside at a node without a pod",
            fromNode("c").at("203.0.113.9").withoutProbes(),
            cluster -> {
              balancer(cluster);
              service(cluster).put("externalTrafficPolicy", "Local");
              remove(cluster, 3);
              ((ArrayNode) cluster.object("EndpointSlice", "hostnames-8x4zk").path("endpoints"))
                  .remove(2);
            },
            Verdict.BROKEN,
            "FL144",
            "policy Local and no pod on c: traffic entering there is dropped; a, b would answer"),
        vector(
            "45: the same from a pod of that node",
            fromPod().at("203.0.113.9").withoutProbes(),
            cluster -> {
              balancer(cluster);
              service(cluster).put("externalTrafficPolicy", "Local");
              remove(cluster, 1);
              ((ArrayNode) cluster.object("EndpointSlice", "hostnames-8x4zk").path("endpoints"))
                  .remove(0);
            },
            Verdict.WORKS,
            ""),
        vector(
            "46: internal policy Local without a pod on the client's node",
            fromPod().withoutProbes(),
            cluster -> {
              service(cluster).put("internalTrafficPolicy", "Local");
              remove(cluster, 1);
              ((ArrayNode) cluster.object("EndpointSlice", "hostnames-8x4zk").path("endpoints"))
                  .remove(0);
            },
            Verdict.BROKEN,
            "FL144",
            "policy Local and no pod on a"),
        vector(
            "47: both variants of iptables",
            cluster ->
                checks(
                    cluster,
                    "b",
                    "{iptables: {nftVariantHoldsServices: true, legacyTables: true}}"),
            Verdict.WARNINGS,
            "FL142",
            "both iptables variants hold Kubernetes rules on b"),
        vector(
            "48: a firewall drops what is forwarded",
            cluster -> {
              checks(
                  cluster, "a", "{forwardPolicies: [{table: fw, chain: forward, policy: drop}]}");
              cluster.connects("10.0.1.175:80", Outcome.NO_ANSWER);
            },
            Verdict.BROKEN,
            "FL146",
            "dropped by fw forward: policy"),
        vector(
            "48: a firewall of the other family says nothing",
            cluster -> {
              checks(
                  cluster,
                  "a",
                  "{forwardPolicies: [{family: ip6, table: fw, chain: forward, policy: drop}]}");
              cluster.connects("10.0.1.175:80", Outcome.NO_ANSWER);
            },
            Verdict.BROKEN,
            "FL188",
            "got no answer from 10.0.1.175:80"),
        vector(
            "49: the same with an accept for pods",
            cluster ->
                checks(
                    cluster,
                    "a",
                    "{forwardPolicies: [{table: fw, chain: forward, policy: drop, acceptsPods:"
                        + " true}]}"),
            Verdict.WORKS,
            ""),
        vector(
            "50: the node does not forward",
            cluster -> {
              checks(cluster, "a", "{sysctls: {net.ipv4.ip_forward: '0'}}");
              cluster.connects("10.0.1.175:80", Outcome.NO_ANSWER);
            },
            Verdict.BROKEN,
            "FL147",
            "net.ipv4.ip_forward is 0 on a"),
        vector(
            "51: a node port on loopback in nftables mode",
            USUAL.at("127.0.0.1").withoutProbes(),
            cluster -> {
              nodePort(cluster);
              cluster.document("a", "about", "{mode: nftables}");
            },
            Verdict.BROKEN,
            "FL149",
            "node port 30380 is not served on 127.0.0.1 in nftables mode"),
        vector(
            "52: the same in iptables mode",
            USUAL.at("127.0.0.1").withoutProbes(),
            ClusterChanges::nodePort,
            Verdict.WORKS,
            ""),
        vector(
            "53: the DNS server is silent",
            cluster ->
                cluster.names("hostnames.default.svc.cluster.local.", "NO_ANSWER", List.of()),
            Verdict.BROKEN,
            "FL150",
            "✗ DNS: DNS server 10.0.0.10 does not answer (probe) FL150",
            "✓ Reach: 12 of 12"),
        vector(
            "54: the DNS server is behind",
            cluster ->
                cluster.names(
                    "hostnames.default.svc.cluster.local.",
                    "NOERROR",
                    List.of("10.0.1.175", "10.0.0.9")),
            Verdict.WARNINGS,
            "FL157",
            "DNS says 10.0.0.9, 10.0.1.175, the API says 10.0.1.175"),
        vector(
            "55: an ExternalName that is an address",
            cluster -> alias(cluster, "10.1.2.3", "NODATA"),
            Verdict.BROKEN,
            "FL154",
            "10.1.2.3 is an address, not a name"),
        vector(
            "56: an ExternalName that leads to itself",
            cluster -> alias(cluster, "hostnames.default.svc.cluster.local", "SERVFAIL"),
            Verdict.BROKEN,
            "FL154",
            "hostnames.default.svc.cluster.local is a loop: it leads to itself"),
        vector(
            "57: headless",
            ClusterChanges::headless,
            Verdict.WORKS,
            "FL155",
            "✓ Service: valid, headless: names give the pods' addresses (api)",
            "✓ DNS: hostnames.default.svc.cluster.local → 10.244.1.7, 10.244.2.7, 10.244.3.7"),
        vector(
            "58: headless without a ready pod",
            cluster -> {
              headless(cluster);
              pods().forEach(each -> unready(cluster, each));
              cluster.names("hostnames.default.svc.cluster.local.", "NODATA", List.of());
            },
            Verdict.BROKEN,
            "FL110 FL158",
            "✗ Endpoints: none, so the name has no address (model)",
            "headless and no ready pod: the name has no address"),
        vector(
            "59: a client that asks another DNS server",
            fromPod().withoutProbes(),
            cluster ->
                Json.child(cluster.object("Pod", "client-0"), "spec").put("dnsPolicy", "Default"),
            Verdict.BROKEN,
            "FL152",
            "client-0 asks the servers of its node, not the cluster's"),
        vector(
            "60: a balancer that gives no address",
            cluster -> service(cluster).put("type", "LoadBalancer"),
            Verdict.WARNINGS,
            "FL108",
            "no address yet: load balancer"),
        vector(
            "LV68: an address of this machine alone",
            cluster -> allocated(cluster, "local"),
            Verdict.WORKS,
            "",
            "✓ Address: 203.0.113.9 from pool local",
            "– Outside: 203.0.113.9 is routed on this machine only"),
        vector(
            "LV44: an address that no node announces",
            cluster -> allocated(cluster, "lan"),
            Verdict.WORKS,
            "",
            "✓ Address: 203.0.113.9 from pool lan",
            "! Announce: no node announces 203.0.113.9: "),
        vector(
            "61: a client that the balancer does not take",
            fromNode("b").at("203.0.113.9").withoutProbes(),
            cluster -> {
              balancer(cluster);
              service(cluster).putArray("loadBalancerSourceRanges").add("198.51.100.0/24");
            },
            Verdict.BROKEN,
            "FL161",
            "203.0.113.9 only takes 198.51.100.0/24; b is not among them"),
        vector(
            "67: hints leave a node with one endpoint",
            cluster -> {
              for (int each : pods()) {
                endpoints(cluster, each)
                    .putObject("hints")
                    .putArray("forZones")
                    .addObject()
                    .put("name", each == 3 ? "z2" : "z1");
                Json.child(
                        Json.child(
                            cluster.object("Node", BaseCluster.NODES.get(each - 1)), "metadata"),
                        "labels")
                    .put("topology.kubernetes.io/zone", each == 3 ? "z2" : "z1");
              }
            },
            Verdict.WARNINGS,
            "FL163",
            "from c only 1 of 3 are used: hints"),
        vector(
            "134: a pod that reaches the others and not itself",
            USUAL.from(Optional.of(new ObjectKey("default", "hostnames-1")), Optional.empty()),
            cluster ->
                cluster.document(
                    "a",
                    "probes",
                    """
                    results:
                    - {address: 10.0.1.175, port: 80, outcome: connected, millis: 1, reply: {sourceAddress: 10.244.2.7, sourcePort: 9376}}
                    - {address: 10.0.1.175, port: 80, outcome: timeout, reply: {sourceAddress: 10.244.1.7, sourcePort: 9376}}
                    - {address: 10.244.1.7, port: 9376, outcome: connected, millis: 1}
                    - {address: 10.244.2.7, port: 9376, outcome: connected, millis: 1}
                    - {address: 10.244.3.7, port: 9376, outcome: connected, millis: 1}
                    """),
            Verdict.WARNINGS,
            "FL148",
            "hostnames-1 cannot reach itself through its Service"),
        vector(
            "137: the DNS server does not know the name",
            cluster -> cluster.names("hostnames.default.svc.cluster.local.", "NXDOMAIN", List.of()),
            Verdict.BROKEN,
            "FL156",
            "hostnames.default.svc.cluster.local does not resolve: NXDOMAIN"),
        vector(
            "138: the DNS Service has no endpoint",
            cluster -> {
              ObjectNode slice = BaseCluster.slice("kube-dns-1");
              Json.child(slice, "metadata").put("namespace", "kube-system");
              Json.child(Json.child(slice, "metadata"), "labels")
                  .put("kubernetes.io/service-name", "kube-dns");
              cluster.all("EndpointSlice").add(slice);
            },
            Verdict.BROKEN,
            "FL159",
            "the DNS Service itself has no endpoint"),
        vector(
            "76: no route to the front",
            cluster -> cluster.connects("10.0.1.175:80", Outcome.UNREACHABLE),
            Verdict.BROKEN,
            "FL191",
            "this machine has no route to 10.0.1.175:80"),
        vector(
            "77: a full table of connections",
            cluster ->
                checks(cluster, "a", "{conntrack: {count: 251000, max: 262144, dropped: 12}}"),
            Verdict.BROKEN,
            "FL190",
            "conntrack on a is 95 % full, 12 packets dropped"),
        vector(
            "77: one that is filling up",
            cluster -> checks(cluster, "a", "{conntrack: {count: 215000, max: 262144}}"),
            Verdict.WARNINGS,
            "FL190",
            "conntrack on a is 82 % full"),
        vector(
            "120: a trace was left behind",
            cluster -> checks(cluster, "a", "{leftoverTables: [ip fairlead-trace]}"),
            Verdict.WARNINGS,
            "FL197",
            "a trace was left behind on a"),
        vector(
            "144: no connection is answered, and nothing says why",
            cluster -> cluster.connects("10.0.1.175:80", Outcome.NO_ANSWER),
            Verdict.BROKEN,
            "FL188",
            "got no answer from 10.0.1.175:80"),
        vector(
            "148: the way through the front is slow",
            cluster ->
                cluster.document(
                    "a",
                    "probes",
                    """
                    results:
                    - {address: 10.0.1.175, port: 80, outcome: connected, millis: 240, reply: {sourceAddress: 10.244.1.7, sourcePort: 9376}}
                    - {address: 10.0.1.175, port: 80, outcome: connected, millis: 242, reply: {sourceAddress: 10.244.1.7, sourcePort: 9376}}
                    - {address: 10.0.1.175, port: 80, outcome: connected, millis: 241, reply: {sourceAddress: 10.244.1.7, sourcePort: 9376}}
                    - {address: 10.244.1.7, port: 9376, outcome: connected, millis: 0.5}
                    - {address: 10.244.2.7, port: 9376, outcome: connected, millis: 0.5}
                    - {address: 10.244.3.7, port: 9376, outcome: connected, millis: 0.5}
                    """),
            Verdict.WARNINGS,
            "FL199",
            "10.244.1.7:9376 answers after 240 ms through the VIP, 0.5 ms directly"));
  }
}
