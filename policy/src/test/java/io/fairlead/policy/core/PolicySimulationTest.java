package io.fairlead.policy.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// What a policy would change, asked before it is applied.
class PolicySimulationTest {
  private static final IpAddress CLIENT = IpAddress.parse(World.CLIENT);

  private final World world = new World();

  private PolicyObjects now() {
    return new PolicyObjects(world.readNamespaces(), world.readPods(), world.readPolicies());
  }

  private static NetworkPolicy policy(String name, String spec) {
    ObjectNode policy = Json.object();
    policy.putObject("metadata").put("namespace", "x").put("name", name);
    policy.set("spec", Yaml.parse(spec));
    return NetworkPolicyReader.read(policy);
  }

  private static ObjectNode service(String spec) {
    ObjectNode service = Json.object();
    service.putObject("metadata").put("namespace", "x").put("name", "web");
    service.set("spec", Yaml.parse(spec));
    return service;
  }

  private List<PolicySimulation.Change> changes(PolicyObjects after) {
    ObjectNode service = service("{selector: {pod: a}, ports: [{port: 8000, targetPort: 80}]}");
    return PolicySimulation.changes(
        now(),
        after,
        List.of(CLIENT),
        PolicySimulation.targets(service, now().pods()).stream()
            .filter(target -> target.address().family() == IpAddress.Family.IPV4)
            .toList());
  }

  @Test
  void aPolicyThatCutsAServiceOffIsSeenBeforeItIsApplied() {
    List<PolicySimulation.Change> changes =
        changes(
            now()
                .with(
                    List.of(
                        policy(
                            "web",
                            "{podSelector: {matchLabels: {pod: a}}, ingress: [{from:"
                                + " [{podSelector: {matchLabels: {pod: b}}}]}]}"))));
    assertThat(changes).allMatch(PolicySimulation.Change::isCut);
    assertThat(changes)
        .extracting(change -> change.client().map(pod -> pod.key().toString()).orElse("outside"))
        .containsExactlyInAnyOrder("x/c", "y/a", "y/b", "y/c", "z/a", "z/b", "z/c", "outside");
    PolicySimulation.Change first = changes.getFirst();
    assertThat(first.target().port()).isEqualTo(80);
    assertThat(first.after().denying().orElseThrow().isolatedBy())
        .containsExactly(new ObjectKey("x", "web"));
    assertThat(first.after().denying().orElseThrow().nearest().orElseThrow().peerEntry())
        .hasToString("pod=b of namespace x");
  }

  @Test
  void aPolicyThatIsTakenAwayOpens() {
    world.putPolicy("deny", "{podSelector: {}}");
    List<PolicySimulation.Change> changes = changes(now().without(new ObjectKey("x", "deny")));
    assertThat(changes).hasSize(9).noneMatch(PolicySimulation.Change::isCut);
    assertThat(changes.getFirst().before().denying().orElseThrow().isolatedBy())
        .containsExactly(new ObjectKey("x", "deny"));
  }

  @Test
  void aPolicyOfTheSameNameIsReplacedAndTheRestStays() {
    world.putPolicy("web", "{podSelector: {}, ingress: [{ports: [{port: 80}]}]}");
    assertThat(
            changes(
                now()
                    .with(
                        List.of(
                            policy(
                                "web", "{podSelector: {}, ingress: [{ports: [{port: 8000}]}]}")))))
        .as("a rule for the Service's port")
        .hasSize(9)
        .allMatch(PolicySimulation.Change::isCut);
    assertThat(changes(now())).isEmpty();
  }

  @Test
  void targetsHaveThePodsOwnPorts() {
    world.putPod(
        AddressVectorsTest.ported(world, "x/b", "containers", "serve-80-tcp", "TCP", 8080));
    assertThat(
            PolicySimulation.targets(service("{selector: {}, ports: [{port: 80}]}"), now().pods()))
        .as("no selector, no pods")
        .isEmpty();
    assertThat(
            PolicySimulation.targets(
                service("{selector: {pod: b}, ports: [{port: 80, targetPort: serve-80-tcp}]}"),
                now().pods()))
        .isNotEmpty()
        .allMatch(target -> target.port() == 8080 && target.pod().namespace().equals("x"));
    assertThat(
            PolicySimulation.targets(
                service("{selector: {pod: a}, ports: [{port: 53, protocol: UDP}]}"), now().pods()))
        .hasSize(2)
        .allMatch(target -> target.port() == 53 && target.protocol() == 17);
  }
}
