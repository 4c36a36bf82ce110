package io.fairlead.controller.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.ApiObject;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.ControllersTestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

class ClusterRoleAggregationControllerTest {
  record Case(String name, ObjectNode role, List<ObjectNode> others, List<String> verbs) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static ObjectNode role(String name, String label, String... verbs) {
    ObjectNode role = Json.object();
    ObjectNode metadata = role.putObject("metadata").put("name", name);
    if (!label.isEmpty()) {
      metadata.putObject("labels").put(label, "true");
    }
    for (String verb : verbs) {
      role.withArray("rules").addObject().putArray("verbs").add(verb);
    }
    return role;
  }

  private static ObjectNode madeOf(String name, String... labels) {
    ObjectNode role = role(name, "");
    ObjectNode rule = role.putObject("aggregationRule");
    for (String label : labels) {
      rule.withArray("clusterRoleSelectors")
          .addObject()
          .putObject("matchLabels")
          .put(label, "true");
    }
    return role;
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            "rules in the order of names",
            madeOf("all", "a"),
            List.of(role("z", "a", "list"), role("b", "a", "get", "watch")),
            List.of("get", "watch", "list")),
        new Case(
            "equal rules once",
            madeOf("all", "a"),
            List.of(role("x", "a", "get"), role("y", "a", "get")),
            List.of("get")),
        new Case(
            "several selectors are a union",
            madeOf("all", "a", "b"),
            List.of(role("x", "a", "get"), role("y", "b", "list"), role("z", "c", "delete")),
            List.of("get", "list")),
        new Case("nothing picked: no rules", madeOf("all", "a"), List.of(), List.of()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void cases(Case row) {
    List<ApiObject> all = new ArrayList<>(List.of(ApiObject.of(row.role())));
    row.others().forEach(other -> all.add(ApiObject.of(other)));
    List<String> verbs = new ArrayList<>();
    AggregatedRules.of(ApiObject.of(row.role()), all)
        .orElseThrow()
        .forEach(rule -> verbs.add(rule.path("verbs").get(0).stringValue()));
    assertThat(verbs).isEqualTo(row.verbs());
  }

  @Test
  void anOrdinaryRoleIsLeftAlone() {
    assertThat(AggregatedRules.of(ApiObject.of(role("x", "a", "get")), List.of())).isEmpty();
  }

  @Test
  void aNewPartAppearsInTheWhole() {
    try (ControllersTestCluster cluster = new ControllersTestCluster()) {
      cluster.client.create(ResourceType.CLUSTER_ROLES, "", madeOf("all", "a"));
      cluster.client.create(ResourceType.CLUSTER_ROLES, "", role("part", "a", "get"));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () ->
                  cluster
                          .client
                          .get(ResourceType.CLUSTER_ROLES, new ObjectKey("", "all"))
                          .path("rules")
                          .size()
                      == 1);
    }
  }
}
