package io.fairlead.policy.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.lease.PolicyReport;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.policy.core.PolicyPlan;
import io.fairlead.policy.nftables.KernelPolicyTable;
import io.fairlead.policy.nftables.PolicyLab;
import io.fairlead.policy.nftables.TableSettings;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Section 9 of the specification: what may fail around the component, and what must hold
/// nevertheless.
@Tag("system")
class LiveFaultsTest extends LiveDaemonFixture {
  private static final String Z_A = "10.244.1.31";
  private static final String FROM_Y =
      "{podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {ns: 'y'}}}]}]}";

  @Test
  void pf4ATableThatWasDeletedWhileTheProcessWasAwayIsMadeWhole() {
    policy("web", FROM_Y);
    awaitReach(Z_A, X_A, false);
    daemon.close();
    PolicyLab.run(
        lab.node(), "nft delete table ip fairlead-policy; nft delete table ip6 fairlead-policy");
    assertThat(reaches(Z_A, X_A, 80)).as("nothing is there").isTrue();
    daemon = launch();
    assertThat(reaches(Z_A, X_A, 80)).isFalse();
    assertThat(reaches(Y_A, X_A, 80)).isTrue();
  }

  @Test
  void pf5AnApiThatFailsTakesNothingAway() {
    policy("web", FROM_Y);
    awaitReach(Z_A, X_A, false);
    api.intercept(
        _ -> {
          throw new ConnectionException("away");
        });
    api.endWatches();
    assertThat(reaches(Z_A, X_A, 80)).isFalse();
    assertThat(reaches(Y_A, X_A, 80)).isTrue();
    // Back with another history: everything is listed again.
    api.compact();
    api.intercept(_ -> {});
    policy("more", FROM_Y.replace("'y'", "'z'"));
    awaitReach(Z_A, X_A, true);
    assertThat(reaches(Y_A, X_A, 80)).isTrue();
    assertThat(reaches("192.0.2.9", X_A, 80)).isFalse();
  }

  @Test
  void pf6AKernelThatRefusesIsTriedAgainAndNothingIsReportedMeanwhile() throws Exception {
    daemon.close();
    lab.node().run(PolicyDaemon::removeTables);
    client.delete(
        ResourceType.LEASES, PolicyReport.key("node1"), io.fairlead.client.DeleteOptions.DEFAULT);
    try (KernelPolicyTable owner =
        lab.node()
            .call(
                () -> KernelPolicyTable.open(IpAddress.Family.IPV4, TableSettings.of(List.of())))) {
      owner.reconcile(PolicyPlan.empty(IpAddress.Family.IPV4));
      daemon =
          lab.node()
              .call(
                  () -> {
                    PolicyDaemon made =
                        new PolicyDaemon(
                            PolicyOptions.of("node1")
                                .withStatus(new InetSocketAddress("127.0.0.1", 0)),
                            client,
                            InstantSource.system());
                    made.start();
                    return made;
                  });
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(get("/metrics"))
                      .containsPattern(
                          "fairlead_policy_kernel_errors_total\\{errno=\"EPERM\"\\} [2-9]"));
      assertThat(get("/readyz")).isEqualTo("not in force\n");
      assertThat(client.find(ResourceType.LEASES, PolicyReport.key("node1"))).isEmpty();
    }
    assertThat(daemon.awaitReady(LIMIT)).isTrue();
    await()
        .atMost(LIMIT)
        .until(() -> client.find(ResourceType.LEASES, PolicyReport.key("node1")).isPresent());
  }

  @Test
  void pf8AClockThatJumpsHasNoEffect() {
    daemon.close();
    long[] shift = {Duration.ofHours(1).toMillis()};
    daemon =
        lab.node()
            .call(
                () -> {
                  PolicyDaemon made =
                      new PolicyDaemon(
                          PolicyOptions.of("node1"),
                          client,
                          () -> InstantSource.system().instant().plusMillis(shift[0]));
                  made.start();
                  return made;
                });
    policy("web", FROM_Y);
    awaitReach(Z_A, X_A, false);
    shift[0] = -shift[0];
    policy("more", FROM_Y.replace("'y'", "'z'"));
    awaitReach(Z_A, X_A, true);
    assertThat(daemon.isHealthy()).isTrue();
  }

  @Test
  void aNodeThatIsRegisteredAnewWithoutRangesKeepsItsGate() {
    assertThat(daemon.gate()).contains("10.244.1.0/24");
    ObjectNode patch = Json.object();
    patch.putObject("spec").putNull("podCIDRs").putNull("podCIDR");
    client.patch(ResourceType.NODES, new ObjectKey("", "node1"), PatchType.MERGE, patch);
    // What follows it was planned after it.
    policy("web", FROM_Y);
    awaitReach(Z_A, X_A, false);
    assertThat(daemon.gate()).contains("10.244.1.0/24");
    assertThat(reaches("192.0.2.9", "10.244.1.99", 80)).isFalse();
    assertThat(get("/metrics")).contains("fairlead_policy_gate 1.0");
  }

  @Test
  void aProxyThatHidesTheSourceIsNamedWhenItsModeChanges() {
    daemon.close();
    AtomicBoolean hides = new AtomicBoolean();
    daemon =
        lab.node()
            .call(
                () -> {
                  PolicyDaemon made =
                      new PolicyDaemon(
                          PolicyOptions.of("node1"), client, InstantSource.system(), hides::get);
                  made.start();
                  return made;
                });
    ObjectKey node = new ObjectKey("", "node1");
    await()
        .atMost(LIMIT)
        .until(() -> client.get(ResourceType.NODES, node).toString().contains("InForce"));
    hides.set(true);
    policy("web", FROM_Y);
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              String now = client.get(ResourceType.NODES, node).toString();
              return now.contains("ProxyHidesSource") && now.contains("FL169 the userspace proxy");
            });
  }

  @Test
  void px6TheOtherFamilyIsIsolatedByTheSamePolicy() {
    policy("web", FROM_Y);
    awaitReach(Z_A, X_A, false);
    assertThat(reaches("fd00:244:1::31", "fd00:244:1::11", 80)).isFalse();
    assertThat(reaches("fd00:244:1::21", "fd00:244:1::11", 80)).isTrue();
  }

  @Test
  void aPolicyThatIsTooLargeIsToldAndCloses() {
    ObjectNode spec = Json.object();
    spec.putObject("podSelector");
    var from = spec.putArray("ingress").addObject().putArray("from");
    for (int i = 0; i < 400; i++) {
      from.addObject()
          .putObject("ipBlock")
          .put("cidr", "0.0.0.0/0")
          .putArray("except")
          .add("20.0." + i % 256 + "." + i / 256 * 16 + "/28");
    }
    policy("large", spec.toString());
    awaitReach(Y_A, X_A, false);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(client.list(ResourceType.EVENTS, "x", ListOptions.ALL).items())
                    .anyMatch(
                        event ->
                            Json.textOr(event, "", "reason").equals("PolicyTooLarge")
                                && Json.textOr(event, "", "message")
                                    .endsWith("it isolates and allows nothing")));
  }

  @Test
  void aClusterThatLetsNothingBeWrittenIsEnforcedAllTheSame() {
    api.intercept(
        request -> {
          if (!request.method().equals("GET") && !request.toString().contains("networkpolicies")) {
            throw new ApiException(
                io.fairlead.api.status.Status.of(403, "Forbidden", "may only read"));
          }
        });
    daemon.close();
    daemon = launch(PolicyOptions.Extras.NONE);
    policy("web", FROM_Y);
    awaitReach(Z_A, X_A, false);
    assertThat(reaches(Y_A, X_A, 80)).isTrue();
    assertThat(daemon.isHealthy()).isTrue();
  }
}
