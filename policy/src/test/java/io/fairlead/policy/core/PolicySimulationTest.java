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

  private List<String> cut(String service, NetworkPolicy policy) {
    PolicyObjects after = now().with(List.of(policy));
    return PolicySimulation.compare(
            now().oracle(),
            after.oracle(),
            List.of(),
            PolicySimulation.outside(
                after.policies(), address -> address.equals(IpAddress.parse(World.NODE_2))),
            PolicySimulation.targets(service(service), now().pods()))
        .stream()
        .filter(effect -> effect.target().address().family() == IpAddress.Family.IPV4)
        .flatMap(effect -> effect.cut().stream())
        .map(loss -> loss.client().toString())
        .toList();
  }

  @Test
  void clientsOutsideOfTheClusterAreCutOffFromServicesTheyCall() {
    String ports = "ports: [{port: 80}]";
    NetworkPolicy podsOnly =
        policy("web", "{podSelector: {}, ingress: [{from: [{namespaceSelector: {}}]}]}");
    assertThat(cut("{type: LoadBalancer, selector: {pod: a}, " + ports + "}", podsOnly))
        .containsExactly("203.0.113.1");
    assertThat(cut("{externalIPs: [198.51.100.7], selector: {pod: a}, " + ports + "}", podsOnly))
        .containsExactly("203.0.113.1");
    assertThat(cut("{selector: {pod: a}, " + ports + "}", podsOnly)).isEmpty();
    NetworkPolicy blocks =
        policy(
            "web",
            "{podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 0.0.0.0/0, except:"
                + " [192.0.2.0/24]}}, {ipBlock: {cidr: 192.168.0.2/32}}]}]}");
    assertThat(cut("{type: NodePort, selector: {pod: a}, " + ports + "}", blocks))
        .as("one of the excepted block, not a node")
        .containsExactly("192.0.2.0");
  }
}
