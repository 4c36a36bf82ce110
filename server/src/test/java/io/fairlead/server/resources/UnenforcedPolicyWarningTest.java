package io.fairlead.server.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.resource.Resource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// When a NetworkPolicy is answered with a warning that nothing enforces it.
class UnenforcedPolicyWarningTest {
  private static final String WARNING =
      "nothing enforces NetworkPolicy: no node reports that it does (FL169)";

  /// @param renewed when a report was written; empty for no report
  private record Case(String name, boolean nodes, String renewed, boolean warned) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("no nodes, nothing to enforce", false, "", false),
        new Case("a node that reports nothing", true, "", true),
        new Case("a report that is alive", true, "2026-01-02T03:03:50.000000Z", false),
        new Case("a report that is stale", true, "2026-01-02T03:03:00.000000Z", true),
        new Case("a report without a time", true, "soon", true));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void warning(Case row) {
    Resource policies = ResourcePipeline.of("networking.k8s.io/v1", "networkpolicies");
    FakeContext context = new FakeContext();
    if (row.nodes()) {
      context.put("", "nodes", "", ResourcePipeline.json("{metadata:{name:'a'}}"));
    }
    if (!row.renewed().isEmpty()) {
      context.put(
          "coordination.k8s.io",
          "leases",
          "kube-public",
          ResourcePipeline.json(
              "{metadata:{name:'fairlead-policy-a',labels:{'fairlead.dev/policy':'true'}},"
                  + "spec:{leaseDurationSeconds:40,renewTime:'"
                  + row.renewed()
                  + "'}}"));
    }
    assertThat(
            policies.warnings(
                ResourcePipeline.json("{metadata:{name:'p'},spec:{podSelector:{}}}"),
                null,
                context))
        .isEqualTo(row.warned() ? List.of(WARNING) : List.of());
  }
}
