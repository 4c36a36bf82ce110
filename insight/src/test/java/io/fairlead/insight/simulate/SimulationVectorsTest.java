package io.fairlead.insight.simulate;

import static io.fairlead.insight.simulate.SimulatedCluster.HOSTNAMES;
import static io.fairlead.insight.simulate.SimulatedCluster.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ObjectKey;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.testing.FakeSources;
import io.fairlead.proxy.core.ProxyMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// Changes to a cluster that works: what would become of its Services.
class SimulationVectorsTest {
  /// @param prepare what is different before the changes
  /// @param breaks whether a fault would arise: the exit code 3
  /// @param lines what is said, in [#text]'s notation
  record Vector(
      String name,
      Consumer<FakeSources> prepare,
      List<ProposedChange> changes,
      boolean breaks,
      List<String> lines) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Vector vector(
      String name, boolean breaks, List<ProposedChange> changes, String... lines) {
    return new Vector(name, _ -> {}, changes, breaks, List.of(lines));
  }

  private static Vector vector(
      String name,
      Consumer<FakeSources> prepare,
      boolean breaks,
      List<ProposedChange> changes,
      String... lines) {
    return new Vector(name, prepare, changes, breaks, List.of(lines));
  }

  static Stream<Vector> vectors() {
    return Stream.of(
        vector(
            "109: scaled to 0, every connection ends and new ones are refused",
            true,
            List.of(new ProposedChange.Scaled("Deployment", HOSTNAMES, 0)),
            "default/hostnames 3 -> 0",
            "share 10.244.1.7 33.3 -> 0.0",
            "connections 90 end, 0 stay",
            "fault FL106 deployment/hostnames matches but is scaled to 0"),
        vector(
            "110: one pod killed, the others take its share",
            false,
            List.of(new ProposedChange.Killed(pod(1))),
            "default/hostnames 3 -> 2",
            "slices changed hostnames-8x4zk",
            "share 10.244.1.7 33.3 -> 0.0",
            "share 10.244.2.7 33.3 -> 50.0",
            "share 10.244.3.7 33.3 -> 50.0",
            "rules a iptables",
            "connections 30 end, 60 stay"),
        vector(
            "111: nftables mode does not serve node ports on 127.0.0.1",
            false,
            List.of(new ProposedChange.ModeChanged(ProxyMode.NFTABLES)),
            "default/hostnames 3 -> 3",
            "warning FL149 node port 30380 is not served on 127.0.0.1 in nftables mode",
            "warning FL149 node port 30380 is not served on other addresses than the node's primary"
                + " one in nftables mode",
            "rules a nftables",
            "connections 0 end, 90 stay"),
        vector(
            "112: a file with a selector that misses by one letter",
            true,
            List.of(
                applied(
                    """
                    apiVersion: v1
                    kind: Service
                    metadata: {name: hostnames, namespace: default}
                    spec:
                      type: NodePort
                      selector: {app: hostname}
                      ports: [{name: default, port: 80, protocol: TCP, targetPort: 9376}]
                    """)),
            "default/hostnames 3 -> 0",
            "connections 0 end, 90 stay",
            "fault FL102 app=hostname selects no pod; nearest: 3 pods have app=hostnames (differs"
                + " in app)"),
        vector(
            "a node goes down: its pod, its connections and its proxy go",
            false,
            List.of(new ProposedChange.NodeDown("c")),
            "default/hostnames 3 -> 2",
            "share 10.244.1.7 33.3 -> 50.0",
            "share 10.244.3.7 33.3 -> 0.0",
            "connections 50 end, 40 stay",
            "warning FL117 its node c is silent since 2026-11-16T10:45:00Z"),
        vector(
            "a node with the only local pod goes down: the balancer must notice",
            cluster ->
                ((ObjectNode) cluster.object("Service", "hostnames").path("spec"))
                    .put("externalTrafficPolicy", "Local"),
            false,
            List.of(new ProposedChange.NodeDown("c")),
            "warning FL144 policy Local and no pod on c: traffic entering there is dropped; a, b"
                + " would answer"),
        vector(
            "internal policy Local: clients of the node have no other way",
            cluster ->
                ((ObjectNode) cluster.object("Service", "hostnames").path("spec"))
                    .put("internalTrafficPolicy", "Local"),
            true,
            List.of(new ProposedChange.Killed(pod(3))),
            "fault FL144 policy Local and no pod on c: traffic entering there is dropped; a, b"
                + " would answer"),
        vector(
            "not ready: no new connections, old ones stay",
            false,
            List.of(new ProposedChange.NotReady(pod(2))),
            "default/hostnames 3 -> 2",
            "share 10.244.2.7 33.3 -> 0.0",
            "connections 0 end, 90 stay"),
        vector(
            "a pod loses its label",
            false,
            List.of(new ProposedChange.Labelled(pod(2), "app", "")),
            "default/hostnames 3 -> 2",
            "connections 0 end, 90 stay"),
        vector(
            "scaled up: pods without addresses yet, on the emptiest nodes",
            false,
            List.of(new ProposedChange.Scaled("Deployment", HOSTNAMES, 5)),
            "default/hostnames 3 -> 5",
            "endpoint hostnames-new-1 on b",
            "endpoint hostnames-new-2 on c",
            "share hostnames-new-1 0.0 -> 20.0",
            "connections 0 end, 90 stay"),
        vector(
            "scaled down: the newest goes",
            false,
            List.of(new ProposedChange.Scaled("Deployment", HOSTNAMES, 2)),
            "default/hostnames 3 -> 2",
            "share 10.244.3.7 33.3 -> 0.0"),
        vector(
            "all three pods killed one by one are a fault",
            true,
            List.of(
                new ProposedChange.Killed(pod(1)),
                new ProposedChange.Killed(pod(2)),
                new ProposedChange.Killed(pod(3))),
            "default/hostnames 3 -> 0"),
        vector(
            "a file with a NetworkPolicy that cuts the client off",
            true,
            List.of(
                applied(
                    """
                    apiVersion: networking.k8s.io/v1
                    kind: NetworkPolicy
                    metadata: {name: deny-all, namespace: default}
                    spec: {podSelector: {matchLabels: {app: hostnames}}, policyTypes: [Ingress]}
                    """)),
            "default/hostnames 3 -> 3",
            "fault FL160 policy default/deny-all does not let default/client-0 reach 9376/TCP"),
        vector(
            "a policy that lets the client in cuts off only the others",
            true,
            List.of(
                applied(
                    """
                    apiVersion: networking.k8s.io/v1
                    kind: NetworkPolicy
                    metadata: {name: some, namespace: default}
                    spec:
                      podSelector: {matchLabels: {app: hostnames}}
                      policyTypes: [Ingress]
                      ingress: [{from: [{podSelector: {matchLabels: {app: client}}}]}]
                    """)),
            "fault FL160 policy default/some does not let default/hostnames-2 reach 9376/TCP",
            "fault FL160 policy default/some does not let 203.0.113.1 reach 9376/TCP",
            "no default/client-0"),
        vector(
            "a new Service for pods that are there",
            false,
            List.of(
                applied(
                    """
                    apiVersion: v1
                    kind: Service
                    metadata: {name: second, namespace: default}
                    spec:
                      type: ClusterIP
                      selector: {app: hostnames}
                      ports: [{port: 8080, protocol: TCP, targetPort: 9376}]
                    """)),
            "default/second 0 -> 3",
            "slices made second-new-1"),
        vector(
            "a Deployment with another port name: all pods are replaced",
            true,
            List.of(
                applied(
                    """
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata: {name: hostnames, namespace: default}
                    spec:
                      replicas: 3
                      template:
                        metadata: {labels: {app: web}}
                        spec: {containers: [{name: web, image: x}]}
                    """)),
            "default/hostnames 3 -> 0",
            "connections 90 end, 0 stay"),
        vector(
            "userspace mode: pods see the node's address",
            false,
            List.of(new ProposedChange.ModeChanged(ProxyMode.USERSPACE)),
            "note pods see the address of the node instead of the client's"),
        vector(
            "what Services do not depend on is said",
            false,
            List.of(applied("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}")),
            "ignored ConfigMap/x"));
  }

  private static ObjectKey pod(int number) {
    return new ObjectKey("default", "hostnames-" + number);
  }

  private static ProposedChange applied(String yaml) {
    return new ProposedChange.Applied((ObjectNode) Yaml.parse(yaml));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void says(Vector vector) throws Exception {
    FakeSources sources = SimulatedCluster.sources();
    vector.prepare().accept(sources);
    Simulation simulation = SimulatedCluster.simulation(sources, ProxyMode.IPTABLES);
    List<ObjectNode> before = copies(simulation.objects());
    SimulationResult result = simulation.run(vector.changes(), Optional.empty());
    List<String> text = text(result);
    for (String line : vector.lines()) {
      if (line.startsWith("no ")) {
        assertThat(text).noneMatch(said -> said.contains(line.substring(3)));
      } else {
        assertThat(text).contains(line);
      }
    }
    assertThat(result.breaks()).as(String.join("\n", text)).isEqualTo(vector.breaks());
    assertThat(text)
        .as("a Service that is not concerned")
        .noneMatch(line -> line.contains("default/other"));
    assertThat(copies(simulation.objects())).as("nothing is changed").isEqualTo(before);
    ObjectNode document = SimulationDocument.of(result, NOW);
    assertThat(document.path("kind").asString()).isEqualTo("Simulation");
    assertThat(document.path("breaks").asBoolean()).isEqualTo(vector.breaks());
    assertThat(document.path("services").size()).isEqualTo(result.services().size());
  }

  @Test
  void aPodThatIsNotThereIsNamed() {
    assertThatThrownBy(
            () ->
                SimulatedCluster.simulation(SimulatedCluster.sources(), ProxyMode.IPTABLES)
                    .run(List.of(new ProposedChange.Killed(pod(9))), Optional.empty()))
        .hasMessage("pod/default/hostnames-9");
  }

  @Test
  void oneServiceMayBeAskedFor() throws Exception {
    SimulationResult result =
        SimulatedCluster.simulation(SimulatedCluster.sources(), ProxyMode.IPTABLES)
            .run(
                List.of(new ProposedChange.ModeChanged(ProxyMode.USERSPACE)),
                Optional.of(new ObjectKey("default", "other")));
    assertThat(result.services())
        .extracting(effect -> effect.key().name())
        .containsExactly("other");
  }

  private static List<ObjectNode> copies(ClusterObjects objects) {
    return ClusterObjects.TYPES.stream()
        .flatMap(type -> objects.all(type.kind()).stream())
        .map(ObjectNode::deepCopy)
        .toList();
  }

  private static List<String> text(SimulationResult result) {
    SentenceCatalog english = SentenceCatalog.english();
    List<String> lines = new ArrayList<>();
    for (ServiceEffect effect : result.noticeable()) {
      lines.add(effect.key() + " " + effect.before().size() + " -> " + effect.after().size());
      effect.after().forEach(each -> lines.add("endpoint " + each.shown() + " on " + each.node()));
      effect.slices().changed().forEach(name -> lines.add("slices changed " + name));
      effect.slices().made().forEach(name -> lines.add("slices made " + name));
      effect
          .shares()
          .forEach(
              share ->
                  lines.add(
                      String.format(
                          Locale.ROOT,
                          "share %s %.1f -> %.1f",
                          share.endpoint().shown(),
                          share.before() * 100,
                          share.after() * 100)));
      effect.rules().forEach(rule -> lines.add("rules " + rule.node() + " " + rule.mode()));
      effect
          .connections()
          .ifPresent(
              each ->
                  lines.add("connections " + each.ending() + " end, " + each.staying() + " stay"));
      effect
          .findings()
          .forEach(
              each ->
                  lines.add(
                      each.severity() + " " + each.code() + " " + english.text(each.sentence())));
      effect.notes().forEach(each -> lines.add("note " + english.text(each)));
    }
    result.notes().forEach(each -> lines.add("note " + english.text(each)));
    result.ignored().forEach(each -> lines.add("ignored " + each));
    return lines;
  }
}
