package io.fairlead.insight.explain;

import static io.fairlead.insight.explain.BaseCluster.pods;
import static io.fairlead.insight.explain.ClusterChanges.blind;
import static io.fairlead.insight.explain.ClusterChanges.denyAll;
import static io.fairlead.insight.explain.ClusterChanges.enforces;
import static io.fairlead.insight.explain.ExplainVector.USUAL;
import static io.fairlead.insight.explain.ExplainVector.fromPod;
import static io.fairlead.insight.explain.ExplainVector.vector;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.insight.evidence.ReachReport.Outcome;
import io.fairlead.insight.finding.Verdict;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Policies, variables, and what cannot be seen.
final class EvidenceVectors {
  private EvidenceVectors() {}

  static Stream<ExplainVector> all() {
    return Stream.of(
        vector(
            "62: a policy keeps the client out",
            fromPod().withoutProbes(),
            cluster -> {
              denyAll(cluster);
              BaseCluster.NODES.forEach(node -> cluster.with(enforces(node)));
            },
            Verdict.BROKEN,
            "FL160",
            "policy default/deny-all does not let default/client-0 reach 9376"),
        vector(
            "62: a policy that lets the client in",
            fromPod().withoutProbes(),
            cluster -> {
              denyAll(cluster);
              Json.child(cluster.object("NetworkPolicy", "deny-all"), "spec")
                  .putArray("ingress")
                  .addObject();
              BaseCluster.NODES.forEach(node -> cluster.with(enforces(node)));
            },
            Verdict.WORKS,
            "",
            "✓ Policy: 1 policies, none stands in the way of client-0 (model)"),
        vector(
            "63: no one is known to enforce it",
            ClusterChanges::denyAll,
            Verdict.WORKS,
            "FL162",
            "– Policy: policy deny-all selects these pods; whether it is enforced here is unknown"),
        vector(
            "64: a pod that is older than the Service",
            cluster -> cluster.with(BaseCluster.client("2026-11-16T09:00:00Z")),
            Verdict.WORKS,
            "FL170",
            "– Env: 1 pods are older than this Service and lack HOSTNAMES_SERVICE_HOST: client-0"),
        vector(
            "66: two Services that give the same variable",
            cluster ->
                cluster.with(
                    """
                    kind: Service
                    metadata: {name: hostnames-service, namespace: default}
                    """),
            Verdict.WARNINGS,
            "FL174",
            "HOSTNAMES_SERVICE_PORT is claimed by hostnames, hostnames-service"),
        vector(
            "66: a container that sets the variable itself",
            cluster ->
                ((ObjectNode)
                        cluster.object("Pod", "client-0").path("spec").path("containers").path(0))
                    .putArray("env")
                    .addObject()
                    .put("name", "HOSTNAMES_PORT"),
            Verdict.WARNINGS,
            "FL174",
            "HOSTNAMES_PORT is claimed by hostnames, client-0"),
        vector(
            "68: the user may not list pods",
            cluster -> cluster.forbid("pods"),
            Verdict.WORKS,
            "",
            "– Selector: unknown: may not list pods in default",
            "✓ Endpoints: 3 ready (api)"),
        vector(
            "69: one node of three can be asked",
            cluster -> {
              blind(cluster, "b");
              blind(cluster, "c");
            },
            Verdict.WORKS,
            "FL193",
            "✓ Rules: 1 of 3 nodes, newest change applied after 212 ms (kernel)",
            "no evidence from b: no node answers questions"),
        vector(
            "70: a foreign cluster from outside",
            cluster -> {
              cluster.here(null);
              for (String node : BaseCluster.NODES) {
                blind(cluster, node);
                cluster.without("Lease", new ObjectKey("kube-public", "fairlead-proxy-" + node));
              }
              for (int each : pods()) {
                cluster.connects(BaseCluster.address(each) + ":9376", Outcome.UNREACHABLE);
              }
              cluster.connects("10.0.1.175:80", Outcome.UNREACHABLE);
              cluster.names("hostnames.default.svc.cluster.local.", "NO_ANSWER", List.of());
            },
            Verdict.UNKNOWN,
            "",
            "Looks right in the API; nothing below it could be checked (no node answers"
                + " questions)."),
        vector(
            "71: a Service that is being deleted",
            cluster -> {
              ObjectNode metadata = Json.child(cluster.object("Service", "hostnames"), "metadata");
              metadata.put("deletionTimestamp", "2026-11-16T10:40:00Z");
              metadata.putArray("finalizers").add("example.com/hold");
            },
            Verdict.WARNINGS,
            "FL107",
            "the Service is being deleted since 10:40:00; finalizers: example.com/hold"),
        vector(
            "72: another proxy answers",
            cluster ->
                Json.child(Json.child(cluster.object("Service", "hostnames"), "metadata"), "labels")
                    .put("service.kubernetes.io/service-proxy-name", "mine"),
            Verdict.WORKS,
            "FL109",
            "another proxy (mine) answers for this Service"),
        vector(
            "73: nothing is sent",
            USUAL.withoutProbes(),
            cluster -> {},
            Verdict.WORKS,
            "",
            "– DNS: unknown: not asked (--no-probe)",
            "– Reach: unknown: not asked (--no-probe)",
            "Works."));
  }
}
