package io.fairlead.insight.explain;

import static io.fairlead.insight.explain.BaseCluster.endpoints;
import static io.fairlead.insight.explain.BaseCluster.pods;
import static io.fairlead.insight.explain.BaseCluster.refused;
import static io.fairlead.insight.explain.BaseCluster.selector;
import static io.fairlead.insight.explain.BaseCluster.service;
import static io.fairlead.insight.explain.BaseCluster.unlisted;
import static io.fairlead.insight.explain.BaseCluster.unready;
import static io.fairlead.insight.explain.ClusterChanges.remove;
import static io.fairlead.insight.explain.ClusterChanges.waiting;
import static io.fairlead.insight.explain.ExplainVector.vector;

import io.fairlead.api.json.Json;
import io.fairlead.insight.evidence.ReachReport.Outcome;
import io.fairlead.insight.finding.Verdict;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Selectors that pick nothing and pods that are left out.
final class SelectorVectors {
  private SelectorVectors() {}

  static Stream<ExplainVector> all() {
    return Stream.of(
        vector(
            "1: nothing is wrong",
            cluster -> {},
            Verdict.WORKS,
            "",
            "Service default/hostnames   ClusterIP 10.0.1.175   port default 80/TCP → 9376   mode"
                + " iptables   3 of 3 pods serve",
            "✓ Selector: app=hostnames selects 3 pods (api)",
            "✓ Endpoints: 3 ready (api)",
            "✓ Listening: 9376/TCP on all 3 (kernel)",
            "✓ Slices: hostnames-8x4zk, up to date (api)",
            "✓ Rules: 3 of 3 nodes, newest change applied after 212 ms (kernel)",
            "✓ DNS: hostnames.default.svc.cluster.local → 10.0.1.175, TTL 5 (probe)",
            "✓ Reach: 12 of 12 connections through the VIP answered, every endpoint directly,"
                + " 0.4 ms (probe)",
            "Works."),
        vector(
            "1: conntrack tells who answered",
            cluster ->
                cluster.document(
                    "a",
                    "probes",
                    """
                    results:
                    - {address: 10.0.1.175, port: 80, outcome: connected, millis: 0.4, reply: {sourceAddress: 10.244.1.7, sourcePort: 9376}}
                    - {address: 10.0.1.175, port: 80, outcome: connected, millis: 0.5, reply: {sourceAddress: 10.244.2.7, sourcePort: 9376}}
                    - {address: 10.0.1.175, port: 80, outcome: connected, millis: 0.6, reply: {sourceAddress: 10.244.3.7, sourcePort: 9376}}
                    """),
            Verdict.WORKS,
            "",
            "✓ Reach: every endpoint answered through the VIP, 0.4 ms (probe)"),
        vector(
            "2: one pod fails its probe",
            cluster -> unready(cluster, 3),
            Verdict.WARNINGS,
            "FL110",
            "! Endpoints: 2 ready, 1 left out (api)",
            "hostnames-3 10.244.3.7 not ready since 10:42:07: GET :9376/healthz fails FL110",
            "Works, with warnings. Next: kubectl logs hostnames-3 -n default"),
        vector(
            "3: all pods fail their probes",
            cluster -> {
              pods().forEach(each -> unready(cluster, each));
              refused(cluster);
            },
            Verdict.BROKEN,
            "FL110",
            "✗ Endpoints: none, so connections are refused at once (probe)",
            "Broken: hostnames-1: not ready since 10:42:07: GET :9376/healthz fails (FL110)."),
        vector(
            "4: the selector is a letter off",
            cluster -> selector(cluster, "app", "hostname"),
            Verdict.BROKEN,
            "FL102",
            "✗ Selector: app=hostname selects no pod; nearest: 3 pods have app=hostnames"
                + " (differs in app) (api) FL102",
            "Next: kubectl patch svc hostnames -n default -p"
                + " '{\"spec\":{\"selector\":{\"app\":\"hostnames\"}}}'"),
        vector(
            "5: one label of two differs",
            cluster -> {
              selector(cluster, "app", "hostnames");
              Json.child(service(cluster), "selector").put("tier", "front");
              cluster
                  .all("Pod")
                  .forEach(
                      pod ->
                          Json.child(Json.child(pod, "metadata"), "labels")
                              .put("tier", "frontend"));
            },
            Verdict.BROKEN,
            "FL102",
            "app=hostnames,tier=front selects no pod; nearest: 3 pods have tier=frontend"
                + " (differs in tier)"),
        vector(
            "6: nothing comes near",
            cluster -> selector(cluster, "app", "nothing"),
            Verdict.BROKEN,
            "FL105",
            "app=nothing selects no pod, and none comes near"),
        vector(
            "7: the pods are in another namespace",
            cluster -> {
              selector(cluster, "app", "other");
              cluster.with(
                  """
                  kind: Pod
                  metadata: {name: other, namespace: shop, labels: {app: other}}
                  """);
            },
            Verdict.BROKEN,
            "FL104",
            "pods with app=other are in namespace shop; a selector only looks in its own"),
        vector(
            "8: scaled to zero",
            cluster -> {
              pods().forEach(each -> remove(cluster, each));
              unlisted(cluster);
              refused(cluster);
              Json.child(cluster.object("Deployment", "hostnames"), "spec").put("replicas", 0);
            },
            Verdict.BROKEN,
            "FL106",
            "deployment/hostnames matches but is scaled to 0",
            "Next: kubectl scale deployment/hostnames -n default --replicas=1"),
        vector(
            "12: a readiness gate is unset on all",
            cluster -> {
              for (int each : pods()) {
                ObjectNode pod = unready(cluster, each);
                ((ObjectNode) pod.path("status").path("containerStatuses").path(0))
                    .put("ready", true);
                Json.child(pod, "spec")
                    .putArray("readinessGates")
                    .addObject()
                    .put("conditionType", "example.com/open");
              }
              refused(cluster);
            },
            Verdict.BROKEN,
            "FL112",
            "waits for its readiness gate example.com/open"),
        vector(
            "13: an image that is not there",
            cluster -> waiting(cluster, 2, "ErrImagePull", 0),
            Verdict.WARNINGS,
            "FL116",
            "container hostnames: ErrImagePull, restarted 0 times"),
        vector(
            "14: containers that crash",
            cluster -> {
              pods().forEach(each -> waiting(cluster, each, "CrashLoopBackOff", 7));
              refused(cluster);
            },
            Verdict.BROKEN,
            "FL116",
            "container hostnames: CrashLoopBackOff, restarted 7 times"),
        vector(
            "15: a pod that has ended",
            cluster -> {
              Json.child(cluster.object("Pod", "hostnames-3"), "status").put("phase", "Succeeded");
              ((ArrayNode) cluster.object("EndpointSlice", "hostnames-8x4zk").path("endpoints"))
                  .remove(2);
            },
            Verdict.WARNINGS,
            "FL115",
            "has ended (Succeeded)"),
        vector(
            "16: a node is silent",
            cluster -> {
              unready(cluster, 2);
              ((ObjectNode) cluster.object("Node", "b").path("status").path("conditions").path(0))
                  .put("status", "Unknown")
                  .put("lastTransitionTime", "2026-11-16T10:41:00Z");
            },
            Verdict.WARNINGS,
            "FL117",
            "its node b is silent since 10:41:00"),
        vector(
            "17: pods that no node takes",
            cluster -> {
              for (int each : pods()) {
                ObjectNode status =
                    Json.child(cluster.object("Pod", "hostnames-" + each), "status");
                status.removeAll();
                status
                    .put("phase", "Pending")
                    .putArray("conditions")
                    .addObject()
                    .put("type", "PodScheduled")
                    .put("status", "False");
              }
              unlisted(cluster);
              refused(cluster);
            },
            Verdict.BROKEN,
            "FL111",
            "has no address yet: unschedulable"),
        vector(
            "18: a startup probe that never succeeds",
            cluster -> {
              for (int each : pods()) {
                ObjectNode pod = unready(cluster, each);
                ((ObjectNode) pod.path("status").path("containerStatuses").path(0))
                    .put("started", false);
                ((ObjectNode) pod.path("spec").path("containers").path(0))
                    .putObject("startupProbe")
                    .putObject("tcpSocket")
                    .put("port", 1);
              }
              refused(cluster);
            },
            Verdict.BROKEN,
            "FL118",
            "has not finished starting: TCP :1"),
        vector(
            "19: the only pod is being deleted and still serves",
            cluster -> {
              remove(cluster, 2);
              remove(cluster, 3);
              ArrayNode listed =
                  (ArrayNode) cluster.object("EndpointSlice", "hostnames-8x4zk").path("endpoints");
              listed.remove(2);
              listed.remove(1);
              Json.child(cluster.object("Pod", "hostnames-1"), "metadata")
                  .put("deletionTimestamp", "2026-11-16T10:44:30Z");
              ((ObjectNode) endpoints(cluster, 1).path("conditions"))
                  .put("ready", false)
                  .put("terminating", true);
            },
            Verdict.WARNINGS,
            "FL113",
            "! Endpoints: 1 terminating, still serving (api)",
            "is being deleted since 10:44:30, still serves"),
        vector(
            "20: the only pod is being deleted and does not listen any more",
            cluster -> {
              remove(cluster, 2);
              remove(cluster, 3);
              ArrayNode listed =
                  (ArrayNode) cluster.object("EndpointSlice", "hostnames-8x4zk").path("endpoints");
              listed.remove(2);
              listed.remove(1);
              Json.child(cluster.object("Pod", "hostnames-1"), "metadata")
                  .put("deletionTimestamp", "2026-11-16T10:44:30Z");
              ((ObjectNode) endpoints(cluster, 1).path("conditions"))
                  .put("ready", false)
                  .put("terminating", true);
              cluster.document("a", "listeners?pod=u-hostnames-1", "{listeners: []}");
              cluster.connects("10.244.1.7:9376", Outcome.REFUSED);
              refused(cluster);
            },
            Verdict.BROKEN,
            "FL113 FL123",
            "nothing listens on 9376/TCP; open: none"),
        vector(
            "21: the Service is of the other family",
            cluster -> {
              service(cluster).put("clusterIP", "fd00::175");
              service(cluster).putArray("clusterIPs").add("fd00::175");
              service(cluster).putArray("ipFamilies").add("IPv6");
              unlisted(cluster);
              cluster.names(
                  "hostnames.default.svc.cluster.local.", "NOERROR", List.of("fd00::175"));
              cluster.connects("fd00::175:80", Outcome.REFUSED);
            },
            Verdict.BROKEN,
            "FL114",
            "has 10.244.1.7 but the Service wants IPv6"),
        vector(
            "22: a dual-stack Service with IPv4 pods",
            cluster -> {
              service(cluster).putArray("clusterIPs").add("10.0.1.175").add("fd00::175");
              service(cluster).putArray("ipFamilies").add("IPv4").add("IPv6");
              cluster.names(
                  "hostnames.default.svc.cluster.local.",
                  "NOERROR",
                  List.of("10.0.1.175", "fd00::175"));
            },
            Verdict.WARNINGS,
            "FL114",
            "has 10.244.1.7 but the Service wants IPv4, IPv6"),
        vector(
            "131: a pod on a node that is not there",
            cluster -> {
              Json.child(cluster.object("Pod", "hostnames-3"), "spec").put("nodeName", "ghost");
              ((ObjectNode) endpoints(cluster, 3).path("conditions"))
                  .put("ready", false)
                  .put("serving", false);
            },
            Verdict.WARNINGS,
            "FL119",
            "is on no node that exists (ghost)"));
  }
}
