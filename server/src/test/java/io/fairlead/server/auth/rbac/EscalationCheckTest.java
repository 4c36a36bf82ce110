package io.fairlead.server.auth.rbac;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.MapClusterReader;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.resource.RequestContext;
import java.lang.reflect.Proxy;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

class EscalationCheckTest {
  static final UserInfo BOB = RbacAuthorizerTest.user("bob", "dev", "system:authenticated");

  final MapClusterReader reader = new MapClusterReader();
  final RbacAuthorizer authorizer = new RbacAuthorizer(RbacSource.of(reader, reader::revision));

  void hold(String rules) {
    reader.put(
        RbacSource.GROUP,
        "roles",
        "{'metadata':{'namespace':'ns','name':'held'},'rules':[" + rules + "]}");
    reader.put(
        RbacSource.GROUP,
        "rolebindings",
        "{'metadata':{'namespace':'ns','name':'held'},'roleRef':{'kind':'Role','name':'held'},"
            + "'subjects':[{'kind':'User','name':'bob'}]}");
  }

  static final String PODS = "{'apiGroups':[''],'resources':['pods'],'verbs':['get','list']}";
  static final String ESCALATE =
      "{'apiGroups':['rbac.authorization.k8s.io'],'resources':['roles'],'verbs':['escalate']}";
  static final String BIND =
      "{'apiGroups':['rbac.authorization.k8s.io'],'resources':['clusterroles'],"
          + "'resourceNames':['big'],'verbs':['bind']}";

  /// @param missing the lines of the refusal; empty when it is allowed
  record Case(String name, String held, String wanted, String missing) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("the same", PODS, PODS, ""),
        new Case("less", PODS, "{'apiGroups':[''],'resources':['pods'],'verbs':['get']}", ""),
        new Case("nothing", PODS, "", ""),
        new Case(
            "one name of all",
            PODS,
            "{'apiGroups':[''],'resources':['pods'],'resourceNames':['a'],'verbs':['get']}",
            ""),
        new Case(
            "more verbs",
            PODS,
            "{'apiGroups':[''],'resources':['pods'],'verbs':['get','delete','patch']}",
            "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"delete\" \"patch\"]}"),
        new Case(
            "more resources",
            PODS,
            "{'apiGroups':[''],'resources':['pods','secrets'],'verbs':['get']}",
            "{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\"]}"),
        new Case(
            "a subresource",
            PODS,
            "{'apiGroups':[''],'resources':['pods/log'],'verbs':['get']}",
            "{APIGroups:[\"\"], Resources:[\"pods/log\"], Verbs:[\"get\"]}"),
        new Case(
            "everything",
            PODS,
            "{'apiGroups':['*'],'resources':['*'],'verbs':['*']}",
            "{APIGroups:[\"*\"], Resources:[\"*\"], Verbs:[\"*\"]}"),
        new Case(
            "all names of one",
            "{'apiGroups':[''],'resources':['pods'],'resourceNames':['a'],'verbs':['get']}",
            "{'apiGroups':[''],'resources':['pods'],'verbs':['get']}",
            "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"get\"]}"),
        new Case(
            "two refused lines are sorted",
            PODS,
            "{'apiGroups':['b','a'],'resources':['x'],'verbs':['get']}",
            "{APIGroups:[\"a\"], Resources:[\"x\"], Verbs:[\"get\"]}\n"
                + "{APIGroups:[\"b\"], Resources:[\"x\"], Verbs:[\"get\"]}"),
        new Case(
            "*/scale covers deployments/scale",
            "{'apiGroups':['*'],'resources':['*/scale'],'verbs':['*']}",
            "{'apiGroups':['apps'],'resources':['deployments/scale'],'verbs':['get']}",
            ""),
        new Case(
            "a longer path below a star",
            "{'nonResourceURLs':['/logs/*'],'verbs':['get']}",
            "{'nonResourceURLs':['/logs/a*'],'verbs':['get']}",
            ""),
        new Case(
            "a shorter path than the star",
            "{'nonResourceURLs':['/logs/*'],'verbs':['get']}",
            "{'nonResourceURLs':['/*'],'verbs':['get']}",
            "{NonResourceURLs:[\"/*\"], Verbs:[\"get\"]}"),
        new Case(
            "escalate sets free",
            ESCALATE,
            "{'apiGroups':['*'],'resources':['*'],'verbs':['*']}",
            ""));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void writingARole(Case row) {
    hold(row.held());
    ObjectNode role =
        MapClusterReader.json("{'metadata':{'name':'new'},'rules':[" + row.wanted() + "]}");
    if (row.missing().isEmpty()) {
      assertThatCode(() -> EscalationCheck.checkRole("roles", role, null, context(BOB, "ns")))
          .doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> EscalationCheck.checkRole("roles", role, null, context(BOB, "ns")))
          .isInstanceOfSatisfying(
              ApiException.class, e -> assertThat(e.status().code()).isEqualTo(403))
          .hasMessage(
              "roles.rbac.authorization.k8s.io \"new\" is forbidden: user \"bob\" (groups=[\"dev\""
                  + " \"system:authenticated\"]) is attempting to grant RBAC permissions not"
                  + " currently held:\n"
                  + row.missing());
    }
  }

  @Test
  void garbageCollectionMayLetGoOfARoleButNobodyMayLabelIt() {
    ObjectNode role = MapClusterReader.json("{'metadata':{'name':'new'},'rules':[" + PODS + "]}");
    ObjectNode owned = role.deepCopy();
    owned.withObject("/metadata").putArray("ownerReferences").addObject().put("name", "x");
    assertThatCode(() -> EscalationCheck.checkRole("roles", owned, role, context(BOB, "ns")))
        .doesNotThrowAnyException();
    ObjectNode labelled = role.deepCopy();
    labelled.withObject("/metadata/labels").put("rbac/aggregate-to-edit", "true");
    assertThatThrownBy(() -> EscalationCheck.checkRole("roles", labelled, role, context(BOB, "ns")))
        .hasMessageContaining("not currently held");
  }

  @Test
  void bindingAnAggregatedRoleCountsAllItsParts() {
    String sum = "'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':{'to':'%s'}}]}}";
    reader.put(
        RbacSource.GROUP, "clusterroles", "{'metadata':{'name':'top'}," + sum.formatted("top"));
    reader.put(
        RbacSource.GROUP,
        "clusterroles",
        "{'metadata':{'name':'middle','labels':{'to':'top'}}," + sum.formatted("middle"));
    reader.put(
        RbacSource.GROUP,
        "clusterroles",
        "{'metadata':{'name':'part','labels':{'to':'middle'}},'rules':["
            + "{'apiGroups':[''],'resources':['secrets'],'verbs':['get']}]}");
    hold(PODS);
    ObjectNode binding =
        MapClusterReader.json(
            "{'metadata':{'name':'b'},'roleRef':{'kind':'ClusterRole','name':'top'}}");
    assertThatThrownBy(
            () -> EscalationCheck.checkBinding("rolebindings", binding, null, context(BOB, "ns")))
        .hasMessageContaining("{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\"]}");
  }

  @Test
  void anAggregatedRoleTakesFullAuthority() {
    hold(PODS);
    ObjectNode role =
        MapClusterReader.json(
            "{'metadata':{'name':'sum'},'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':{'a':'b'}}]}}");
    assertThatThrownBy(
            () -> EscalationCheck.checkRole("clusterroles", role, null, context(BOB, "")))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("{APIGroups:[\"*\"], Resources:[\"*\"], Verbs:[\"*\"]}");
    ObjectNode ordinary = MapClusterReader.json("{'metadata':{'name':'sum'},'rules':[]}");
    assertThatThrownBy(
            () -> EscalationCheck.checkRole("clusterroles", ordinary, role, context(BOB, "")))
        .as("to take the aggregation away changes what the role gives, too")
        .isInstanceOf(ApiException.class);
    UserInfo root = RbacAuthorizerTest.user("root", "system:masters");
    assertThatCode(() -> EscalationCheck.checkRole("clusterroles", role, null, context(root, "")))
        .doesNotThrowAnyException();
  }

  @Test
  void bindingNeedsTheRulesOrTheVerbBind() {
    reader.put(
        RbacSource.GROUP,
        "clusterroles",
        "{'metadata':{'name':'big'},'rules':[{'apiGroups':['*'],'resources':['*'],'verbs':['*']}]}");
    ObjectNode binding =
        MapClusterReader.json(
            "{'metadata':{'name':'b'},'roleRef':{'kind':'ClusterRole','name':'big'},"
                + "'subjects':[{'kind':'User','name':'bob'}]}");
    hold(PODS);
    assertThatThrownBy(
            () -> EscalationCheck.checkBinding("rolebindings", binding, null, context(BOB, "ns")))
        .hasMessageStartingWith("rolebindings.rbac.authorization.k8s.io \"b\" is forbidden: user")
        .hasMessageContaining("not currently held");
    hold(BIND);
    assertThatCode(
            () -> EscalationCheck.checkBinding("rolebindings", binding, null, context(BOB, "ns")))
        .doesNotThrowAnyException();
  }

  @Test
  void bindingAMissingRoleIsNotFound() {
    ObjectNode binding =
        MapClusterReader.json(
            "{'metadata':{'name':'b'},'roleRef':{'kind':'Role','name':'nosuch'}}");
    assertThatThrownBy(
            () -> EscalationCheck.checkBinding("rolebindings", binding, null, context(BOB, "ns")))
        .hasMessage("roles.rbac.authorization.k8s.io \"nosuch\" not found");
  }

  @Test
  void aBombOfRulesCostsItsSenderOnly() {
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      many.append(i == 0 ? "'" : ",'").append(i).append('\'');
    }
    ObjectNode role =
        MapClusterReader.json(
            "{'metadata':{'name':'bomb'},'rules':[{'apiGroups':["
                + many
                + "],'resources':["
                + many
                + "],'verbs':["
                + many
                + "]}]}");
    assertThatThrownBy(() -> EscalationCheck.checkRole("roles", role, null, context(BOB, "ns")))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(400));
  }

  private RequestContext context(UserInfo user, String namespace) {
    return (RequestContext)
        Proxy.newProxyInstance(
            RequestContext.class.getClassLoader(),
            new Class<?>[] {RequestContext.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "user" -> user;
                  case "namespace" -> namespace;
                  case "reader" -> reader;
                  case "authorizer" -> authorizer;
                  default -> throw new AssertionError("not expected: " + method);
                });
  }
}
