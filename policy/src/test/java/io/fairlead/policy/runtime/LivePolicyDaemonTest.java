package io.fairlead.policy.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.lease.PolicyReport;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import io.fairlead.policy.nftables.PolicyLab;
import io.fairlead.work.LoopFaults;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// The whole component against an API server in memory and a real kernel: objects in, packets let
/// through or not, and what it says about them.
@Tag("system")
class LivePolicyDaemonTest extends LiveDaemonFixture {
  @Test
  void aPolicyHoldsAndGoes() {
    assertThat(reaches(Y_A, X_A, 80)).isTrue();
    policy("deny", "{podSelector: {}}");
    awaitReach(Y_A, X_A, false);
    policy(
        "allow",
        "{podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {ns: 'y'}}}]}]}");
    awaitReach(Y_A, X_A, true);
    assertThat(reaches("10.244.1.31", X_A, 80)).isFalse();
    client.delete(PolicyInformers.POLICIES, new ObjectKey("x", "deny"), DeleteOptions.DEFAULT);
    client.delete(PolicyInformers.POLICIES, new ObjectKey("x", "allow"), DeleteOptions.DEFAULT);
    awaitReach("10.244.1.31", X_A, true);
  }

  @Test
  void pv96AndPv97TheReasonIsNamedWithTheNearestRule() {
    policy(
        "web",
        "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{podSelector: {matchLabels: {pod:"
            + " b}}}], ports: [{port: 80}]}]}");
    awaitReach(Y_A, X_A, false);
    await().atMost(LIMIT).until(() -> !daemon.recentDrops().isEmpty());
    DropReason reason = daemon.recentDrops().getFirst();
    assertThat(reason.code()).isEqualTo("FL160");
    assertThat(reason.text())
        .isEqualTo("dropped at x/a: no policy lets y/a in on 80/TCP. Isolated by x/web");
    assertThat(reason.next()).contains("x/web allows it from pod=b of namespace x");
    assertThat(reaches("10.244.1.12", X_A, 81)).isFalse();
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(daemon.recentDrops())
                    .anySatisfy(
                        each ->
                            assertThat(each.next())
                                .contains("x/web allows the same peer on 80/TCP")));
  }

  @Test
  void pv84AFlowOfDatagramsIsCutAndGoesOnWhenItMayAgain() throws IOException {
    try (DatagramSocket socket =
        lab.at(IpAddress.parse(Y_A))
            .call(() -> new DatagramSocket(new InetSocketAddress(Y_A, 0)))) {
      socket.connect(new InetSocketAddress(X_A, 80));
      assertThat(answers(socket)).isTrue();
      policy("deny", "{podSelector: {}}");
      await().atMost(LIMIT).until(() -> !answers(socket));
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  client.list(ResourceType.EVENTS, "x", ListOptions.ALL).items().stream()
                      .anyMatch(
                          event ->
                              Json.textOr(event, "", "reason").equals("ConnectionsCut")
                                  && Json.textOr(event, "", "message")
                                      .equals(
                                          "FL165 ended: y/a -> x/a:80/UDP was open when x/deny"
                                              + " came")));
      client.delete(PolicyInformers.POLICIES, new ObjectKey("x", "deny"), DeleteOptions.DEFAULT);
      await().atMost(LIMIT).until(() -> answers(socket));
    }
  }

  @Test
  void pf2AndPv74AnUnknownPodIsClosedAlsoWithoutTheProcess() {
    daemon.close();
    DeleteOptions atOnce =
        new DeleteOptions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(0L));
    client.delete(ResourceType.PODS, new ObjectKey("z", "b"), atOnce);
    daemon = launch();
    assertThat(reaches("10.244.1.32", X_A, 80)).isFalse();
    daemon.close();
    assertThat(reaches("10.244.1.32", X_A, 80)).isFalse();
    assertThat(reaches(Y_A, X_A, 80)).isTrue();
    daemon = launch();
    create("z/b");
    awaitReach("10.244.1.32", X_A, true);
  }

  @Test
  void pv75ANewPodIsReportedWhenTheKernelShowsIt() {
    ObjectNode pod = world.pod("z/d", "node1", "10.244.1.40");
    ObjectNode created = client.create(ResourceType.PODS, "z", pod);
    String version = Json.textOr(created, "", "metadata", "resourceVersion");
    await()
        .atMost(LIMIT)
        .until(
            () ->
                client
                    .find(ResourceType.LEASES, PolicyReport.key("node1"))
                    .map(PolicyReport::of)
                    .map(report -> report.shows("pods", version) && report.gate())
                    .orElse(false));
    await()
        .atMost(LIMIT)
        .until(
            () ->
                client
                    .get(ResourceType.NODES, new ObjectKey("", "node1"))
                    .toString()
                    .contains("InForce"));
  }

  @Test
  void aPolicyThatSelectsNothingIsTold() {
    policy("typo", "{podSelector: {matchLabels: {pod: nobody}}, ingress: [{from: [{}]}]}");
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(client.list(ResourceType.EVENTS, "x", ListOptions.ALL).items())
                    .extracting(event -> Json.textOr(event, "", "reason"))
                    .contains("PolicySelectsNothing", "InvalidEntry"));
  }

  @Test
  void metricsAndHealthAreServed() {
    policy("deny", "{podSelector: {}}");
    awaitReach(Y_A, X_A, false);
    assertThat(get("/readyz")).isEqualTo("ok");
    assertThat(get("/healthz")).isEqualTo("ok");
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(get("/metrics"))
                    .contains("fairlead_policy_policies 1.0")
                    .contains("fairlead_policy_gate 1.0")
                    .containsPattern(
                        "fairlead_policy_drops_total\\{direction=\"ingress\",namespace=\"x\"\\}"
                            + " [1-9]"));
  }

  @Test
  void pv77APodThatDoesNotGetItsAddressIsTold() {
    client.create(ResourceType.PODS, "z", world.pod("z/new", "node1", X_A));
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(client.list(ResourceType.EVENTS, "", ListOptions.ALL).items())
                    .extracting(event -> Json.textOr(event, "", "message"))
                    .anyMatch(text -> text.startsWith("FL168 10.244.1.11 is claimed by ")));
  }

  @Test
  void pv101APolicyWithATypoIsToldWithTheLabelThatExists() {
    policy(
        "web",
        "{podSelector: {matchLabels: {pod: aa}}, ingress: [{from: [{namespaceSelector:"
            + " {matchLabels: {team: ops}}}]}]}");
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(client.list(ResourceType.EVENTS, "x", ListOptions.ALL).items())
                    .extracting(event -> Json.textOr(event, "", "message"))
                    .contains(
                        "FL166 x/web applies to no pod: pod=aa; 1 pod has pod=a",
                        "FL166 spec.ingress[0].from[0] of x/web matches no pod: all pods of"
                            + " namespaces with team=ops"));
  }

  @Test
  void pv70ABridgeThatPassesTheRulesByIsNamed() {
    PolicyLab.run(
        lab.node(),
        "ip link add cni0 type bridge; ip addr add 10.244.1.250/24 dev cni0; ip link set cni0 up;"
            + " sysctl -q -w net.bridge.bridge-nf-call-iptables=0");
    try {
      daemon.close();
      daemon = launch();
      await()
          .atMost(LIMIT)
          .until(
              () -> {
                String node = client.get(ResourceType.NODES, new ObjectKey("", "node1")).toString();
                return node.contains("BridgeBypasses") && node.contains("cni0");
              });
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(client.list(ResourceType.EVENTS, "", ListOptions.ALL).items())
                      .extracting(event -> Json.textOr(event, "", "message"))
                      .anyMatch(
                          text ->
                              text.startsWith(
                                  "FL169 NetworkPolicy is not enforced on node node1: ")));
    } finally {
      PolicyLab.run(lab.node(), "ip link del cni0");
    }
  }

  @Test
  void theStartupTaintGoesWithTheFirstRules() {
    ObjectNode patch = Json.object();
    var taints = patch.putObject("spec").putArray("taints");
    taints.addObject().put("key", "fairlead.dev/policy-not-ready").put("effect", "NoSchedule");
    taints.addObject().put("key", "other").put("effect", "NoSchedule");
    client.patch(ResourceType.NODES, new ObjectKey("", "node1"), PatchType.MERGE, patch);
    daemon.close();
    daemon =
        launch(
            new PolicyOptions.Extras(
                false, "fairlead.dev/policy-not-ready", "", Optional.empty(), false));
    await()
        .atMost(LIMIT)
        .until(
            () ->
                client
                    .get(ResourceType.NODES, new ObjectKey("", "node1"))
                    .path("spec")
                    .path("taints")
                    .findValuesAsString("key")
                    .equals(List.of("other")));
  }

  @Test
  void deniedPacketsAreWrittenToTheDropLog(@TempDir Path directory) {
    Path file = directory.resolve("drops");
    daemon.close();
    daemon = launch(new PolicyOptions.Extras(false, "", file.toString(), Optional.empty(), false));
    policy("deny", "{podSelector: {}}");
    awaitReach(Y_A, X_A, false);
    await()
        .atMost(LIMIT)
        .ignoreException(NoSuchFileException.class)
        .untilAsserted(
            () -> {
              ObjectNode line =
                  Json.parseObject(
                      Files.readString(file)
                          .lines()
                          .findFirst()
                          .orElseThrow()
                          .getBytes(StandardCharsets.UTF_8));
              assertThat(Json.textOr(line, "", "code")).isEqualTo("FL160");
              assertThat(Json.textOr(line, "", "direction")).isEqualTo("ingress");
              assertThat(Json.textOr(line, "", "destination")).isEqualTo(X_A);
              assertThat(line.path("policies").path(0).asString()).isEqualTo("x/deny");
              assertThat(line.path("count").asInt()).isPositive();
            });
  }

  /// An API server that is not there.
  private static final class NoApi implements Transport {
    @Override
    public ApiResponse send(ApiRequest request) {
      throw new ConnectionException("no API");
    }

    @Override
    public LineStream stream(ApiRequest request) {
      throw new ConnectionException("no API");
    }

    @Override
    public void close() {}
  }

  @Test
  void theGateComesBeforeTheApiIsRead() {
    daemon.close();
    lab.node().run(PolicyDaemon::removeTables);
    PolicyOptions first =
        PolicyOptions.of("node1")
            .withRanges(List.of(Cidr.parse("10.244.1.0/24")), List.of())
            .withExtras(new PolicyOptions.Extras(true, "", "", Optional.empty(), false));
    Client away = new Client(new NoApi());
    PolicyDaemon waiting =
        lab.node()
            .call(
                () -> {
                  PolicyDaemon made = new PolicyDaemon(first, away, InstantSource.system());
                  made.start();
                  return made;
                });
    try {
      awaitReach(Y_A, X_A, false);
      assertThat(waiting.isReady()).isFalse();
    } finally {
      waiting.close();
    }
    daemon = launch();
    awaitReach(Y_A, X_A, true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        BridgeCheck.KIND,
        FamilySync.KIND,
        ConnectionSweeper.KIND,
        PolicyReporter.KIND,
        NodeConditionWriter.KIND
      })
  void aLoopThatFailsOnceGoesOn(String kind) {
    assertThat(LoopFaults.failOnce(kind)).isPositive();
    policy("deny", "{podSelector: {}}");
    awaitReach(Y_A, X_A, false);
    assertThat(daemon.isHealthy()).isTrue();
  }

  @Test
  void aDropLogThatFailsOnceGoesOn(@TempDir Path directory) {
    Path file = directory.resolve("drops");
    daemon.close();
    daemon = launch(new PolicyOptions.Extras(false, "", file.toString(), Optional.empty(), false));
    assertThat(LoopFaults.failOnce(DropLogWriter.KIND)).isPositive();
    policy("deny", "{podSelector: {}}");
    awaitReach(Y_A, X_A, false);
    await().atMost(LIMIT).until(() -> Files.exists(file));
  }

  @Test
  void aStartupTaintThatFailsOnceGoesAllTheSame() {
    ObjectNode patch = Json.object();
    patch
        .putObject("spec")
        .putArray("taints")
        .addObject()
        .put("key", "k")
        .put("effect", "NoSchedule");
    client.patch(ResourceType.NODES, new ObjectKey("", "node1"), PatchType.MERGE, patch);
    AtomicBoolean ready = new AtomicBoolean();
    try (StartupTaint taint = new StartupTaint(client, "node1", "k", ready::get)) {
      taint.start();
      assertThat(LoopFaults.failOnce(StartupTaint.KIND)).isPositive();
      ready.set(true);
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  client
                      .get(ResourceType.NODES, new ObjectKey("", "node1"))
                      .path("spec")
                      .path("taints")
                      .isEmpty());
    }
  }
}
