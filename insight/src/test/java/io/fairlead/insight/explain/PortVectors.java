package io.fairlead.insight.explain;

import static io.fairlead.insight.explain.BaseCluster.listens;
import static io.fairlead.insight.explain.BaseCluster.pods;
import static io.fairlead.insight.explain.BaseCluster.refused;
import static io.fairlead.insight.explain.BaseCluster.service;
import static io.fairlead.insight.explain.BaseCluster.unlisted;
import static io.fairlead.insight.explain.ClusterChanges.byHand;
import static io.fairlead.insight.explain.ClusterChanges.portName;
import static io.fairlead.insight.explain.ClusterChanges.targetPort;
import static io.fairlead.insight.explain.ExplainVector.vector;

import io.fairlead.api.json.Json;
import io.fairlead.insight.evidence.ReachReport.Outcome;
import io.fairlead.insight.finding.Verdict;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Ports where nothing answers and slices that no proxy uses.
final class PortVectors {
  private PortVectors() {}

  static Stream<ExplainVector> all() {
    return Stream.of(
        vector(
            "23: a port name that no container has",
            cluster -> {
              targetPort(cluster, "web");
              pods().forEach(each -> portName(cluster, each, "http", "TCP"));
              unlisted(cluster);
              refused(cluster);
            },
            Verdict.BROKEN,
            "FL120",
            "no container port is named web; it has http"),
        vector(
            "24: a port of another protocol",
            cluster -> {
              targetPort(cluster, "http");
              pods().forEach(each -> portName(cluster, each, "http", "UDP"));
              unlisted(cluster);
              refused(cluster);
            },
            Verdict.BROKEN,
            "FL121",
            "port http is UDP, the Service says TCP"),
        vector(
            "25: one of two ports is unknown",
            cluster -> {
              ((ArrayNode) service(cluster).path("ports"))
                  .addObject()
                  .put("name", "metrics")
                  .put("port", 90)
                  .put("protocol", "TCP")
                  .put("targetPort", "metrics");
              cluster.connects("10.0.1.175:90", Outcome.REFUSED);
            },
            Verdict.BROKEN,
            "FL120",
            "ports default 80/TCP → 9376, metrics 90/TCP → metrics",
            "✗ Endpoints: 3 ready, 3 of them not for every port or family (api)",
            "no container port is named metrics; it has no named port"),
        vector(
            "26: nothing listens on the target port",
            cluster -> {
              service(cluster).path("ports").forEach(p -> ((ObjectNode) p).put("targetPort", 9377));
              ((ObjectNode)
                      cluster.object("EndpointSlice", "hostnames-8x4zk").path("ports").path(0))
                  .put("port", 9377);
              pods()
                  .forEach(
                      each ->
                          cluster.connects(BaseCluster.address(each) + ":9377", Outcome.REFUSED));
              refused(cluster);
            },
            Verdict.BROKEN,
            "FL123",
            "✗ Listening: 9377/TCP on 0 of 3 (kernel)",
            "nothing listens on 9377/TCP; open: 9376"),
        vector(
            "26: the same, seen by a connection only",
            cluster -> {
              service(cluster).path("ports").forEach(p -> ((ObjectNode) p).put("targetPort", 9377));
              ((ObjectNode)
                      cluster.object("EndpointSlice", "hostnames-8x4zk").path("ports").path(0))
                  .put("port", 9377);
              for (int each : pods()) {
                cluster.connects(BaseCluster.address(each) + ":9377", Outcome.REFUSED);
                Json.child(cluster.object("Pod", "hostnames-" + each), "metadata")
                    .put("uid", "other");
              }
              refused(cluster);
            },
            Verdict.BROKEN,
            "FL123",
            "– Listening: unknown: no node answers questions",
            "nothing listens on 9377/TCP; open: unknown"),
        vector(
            "27: all servers are bound to loopback",
            cluster -> {
              for (int each : pods()) {
                listens(cluster, each, "127.0.0.1", 9376);
                cluster.connects(BaseCluster.address(each) + ":9376", Outcome.REFUSED);
              }
              refused(cluster);
            },
            Verdict.BROKEN,
            "FL124",
            "9376 is open on 127.0.0.1 only (process unknown)"),
        vector(
            "28: one server is bound to loopback",
            cluster -> {
              listens(
                  cluster,
                  2,
                  "{protocol: TCP, address: 127.0.0.1, port: 9376, process: {name: java}}");
              cluster.connects("10.244.2.7:9376", Outcome.REFUSED);
            },
            Verdict.WARNINGS,
            "FL124",
            "9376 is open on 127.0.0.1 only (process java)",
            "! Listening: 9376/TCP on 2 of 3 (kernel)"),
        vector(
            "29: a server that does not accept",
            cluster ->
                listens(
                    cluster,
                    2,
                    "{protocol: TCP, address: 0.0.0.0, port: 9376, waiting: 5, backlog: 4}"),
            Verdict.WARNINGS,
            "FL126",
            "5 connections wait to be accepted, the queue holds 4"),
        vector(
            "30: a server of the other family",
            cluster -> {
              listens(cluster, 2, "fd00::7", 9376);
              cluster.connects("10.244.2.7:9376", Outcome.REFUSED);
            },
            Verdict.WARNINGS,
            "FL127",
            "listens on IPv6 only, the Service is IPv4"),
        vector(
            "31: a server that listens and does not answer",
            cluster -> cluster.connects("10.244.2.7:9376", Outcome.NO_ANSWER),
            Verdict.WARNINGS,
            "FL128",
            "listens on 9376 but does not answer"),
        vector(
            "32: UDP is not probed",
            cluster -> {
              service(cluster).path("ports").forEach(p -> ((ObjectNode) p).put("protocol", "UDP"));
              ((ObjectNode)
                      cluster.object("EndpointSlice", "hostnames-8x4zk").path("ports").path(0))
                  .put("protocol", "UDP");
              pods()
                  .forEach(
                      each -> listens(cluster, each, "{protocol: UDP, address: '::', port: 9376}"));
            },
            Verdict.WORKS,
            "FL129",
            "– Reach: UDP is not probed (api) FL129"),
        vector(
            "33: controllers are silent and slices are behind",
            cluster -> {
              ((ArrayNode) cluster.object("EndpointSlice", "hostnames-8x4zk").path("endpoints"))
                  .remove(2);
              Json.child(cluster.object("Lease", "kube-controller-manager"), "spec")
                  .put("renewTime", "2026-11-16T10:30:00.000000Z");
            },
            Verdict.WARNINGS,
            "FL130 FL136",
            "no one writes slices: the controllers are silent since 10:30:00",
            "slices are 12m behind the pods: hostnames-3"),
        vector(
            "34: a slice of another writer",
            cluster -> {
              ObjectNode slice = BaseCluster.slice("mine");
              Json.child(Json.child(slice, "metadata"), "labels")
                  .put("endpointslice.kubernetes.io/managed-by", "me");
              cluster.all("EndpointSlice").add(slice);
            },
            Verdict.WARNINGS,
            "FL131",
            "mine are written by me"),
        vector(
            "35: no selector and no slice",
            cluster -> byHand(cluster, null),
            Verdict.BROKEN,
            "FL103 FL134",
            "– Selector: no selector: endpoints are written by hand (api) FL103",
            "✗ Slices: no selector, and no endpoints were written (api) FL134"),
        vector(
            "36: a slice whose port has another name",
            cluster -> {
              ObjectNode slice = BaseCluster.slice("by-hand");
              ((ObjectNode) slice.path("ports").path(0)).put("name", "http");
              BaseCluster.endpoint(slice, "", "", "192.0.2.31");
              byHand(cluster, slice);
            },
            Verdict.BROKEN,
            "FL103 FL133",
            "by-hand: port http/TCP fits no port of the Service, so the proxy does not use it"),
        vector(
            "37: a slice without the label",
            cluster -> {
              ObjectNode slice = BaseCluster.slice("hostnames-by-hand");
              Json.child(slice, "metadata").remove("labels");
              BaseCluster.endpoint(slice, "", "", "192.0.2.31");
              byHand(cluster, slice);
            },
            Verdict.BROKEN,
            "FL103 FL133",
            "hostnames-by-hand: label kubernetes.io/service-name is missing"),
        vector(
            "38: a slice that leads to loopback",
            cluster -> {
              ObjectNode slice = BaseCluster.slice("by-hand");
              BaseCluster.endpoint(slice, "", "", "127.0.0.1");
              byHand(cluster, slice);
            },
            Verdict.BROKEN,
            "FL103 FL137 FL191",
            "127.0.0.1 can be no endpoint: every machine means another one by it"),
        vector(
            "39: a good slice written by hand",
            cluster -> {
              ObjectNode slice = BaseCluster.slice("by-hand");
              BaseCluster.endpoint(slice, "", "", "192.0.2.31");
              byHand(cluster, slice);
              cluster.connects("192.0.2.31:9376", Outcome.ANSWERED);
              cluster.connects("10.0.1.175:80", Outcome.ANSWERED);
            },
            Verdict.WORKS,
            "FL103",
            "✓ Endpoints: 1 ready (api)"),
        vector(
            "40: Endpoints is cut at 1000",
            cluster ->
                cluster.with(
                    """
                    kind: Endpoints
                    metadata:
                      name: hostnames
                      namespace: default
                      annotations: {endpoints.kubernetes.io/over-capacity: truncated}
                    """),
            Verdict.WORKS,
            "FL132",
            "the Endpoints object is cut at 1000; slices are complete"),
        vector(
            "132: a target port that no pod declares",
            cluster ->
                pods()
                    .forEach(
                        each ->
                            ((ObjectNode)
                                    cluster
                                        .object("Pod", "hostnames-" + each)
                                        .path("spec")
                                        .path("containers")
                                        .path(0)
                                        .path("ports")
                                        .path(0))
                                .put("containerPort", 8080)),
            Verdict.WORKS,
            "FL122",
            "9376 is not declared by the pod (that alone is harmless)"),
        vector(
            "133: a slice names a pod that is gone",
            cluster -> {
              BaseCluster.endpoint(
                  cluster.object("EndpointSlice", "hostnames-8x4zk"), "gone", "a", "10.244.1.9");
              cluster.connects("10.244.1.9:9376", Outcome.ANSWERED);
            },
            Verdict.WARNINGS,
            "FL135",
            "10.244.1.9 belongs to gone, which is gone"));
  }
}
