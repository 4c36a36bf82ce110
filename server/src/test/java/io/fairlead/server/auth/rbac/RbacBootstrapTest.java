package io.fairlead.server.auth.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.server.auth.MapClusterReader;
import io.fairlead.server.auth.UserInfo;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What the default roles allow, asked of the authorizer.
class RbacBootstrapTest {
  static final MapClusterReader READER = new MapClusterReader();
  static final RbacAuthorizer AUTHORIZER =
      new RbacAuthorizer(RbacSource.of(READER, READER::revision));

  static {
    for (ObjectNode object : RbacBootstrap.objects()) {
      READER.put(RbacSource.GROUP, plural(object), object);
    }
    for (String role : List.of("admin", "edit", "view")) {
      READER.put(
          RbacSource.GROUP,
          "rolebindings",
          "{'metadata':{'namespace':'ns','name':'"
              + role
              + "'},'roleRef':{'kind':'ClusterRole','name':'"
              + role
              + "'},'subjects':[{'kind':'User','name':'"
              + role
              + "'}]}");
    }
  }

  static String plural(ObjectNode object) {
    return object.path("kind").asString("").toLowerCase(Locale.ROOT) + "s";
  }

  record Case(String name, String user, String questions, boolean allowed) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            "anonymous sees health and version",
            "system:anonymous system:unauthenticated",
            "get /healthz;get /livez;get /readyz;get /version",
            true),
        new Case(
            "anonymous sees nothing else",
            "system:anonymous system:unauthenticated",
            "get /api;get /apis;get /metrics;get /openapi/v2;list /services ns;get /;"
                + "create authorization.k8s.io/selfsubjectaccessreviews -",
            false),
        new Case(
            "everybody logged in discovers",
            "bob system:authenticated",
            "get /api;get /api/v1;get /apis/apps/v1;get /openapi/v2;get /openapi/v3;get /version;"
                + "create authorization.k8s.io/selfsubjectaccessreviews -;"
                + "create authorization.k8s.io/selfsubjectrulesreviews -;"
                + "create authentication.k8s.io/selfsubjectreviews -",
            true),
        new Case(
            "everybody logged in: no more",
            "bob system:authenticated",
            "get /metrics;list /services ns;get /secrets ns/s;create /pods ns;"
                + "get /openid/v1/jwks;create authorization.k8s.io/subjectaccessreviews -",
            false),
        new Case(
            "controllers name load balancer addresses (X2)",
            "system:kube-controller-manager",
            "balance /services ns/x;patch /services/status ns/x;patch /services ns/x",
            true),
        new Case(
            "others do not, not even an admin of the namespace (X2)",
            "admin",
            "balance /services ns/x;update /services/status ns/x",
            false),
        new Case(
            "view reads",
            "view",
            "get /pods ns/p;list /services ns;watch apps/deployments ns;get /pods/log ns/p;"
                + "list discovery.k8s.io/endpointslices ns;get /configmaps ns/c;get /namespaces ns",
            true),
        new Case(
            "view reads no secrets, no roles, and writes nothing (P20)",
            "view",
            "get /secrets ns/s;list /secrets ns;delete /services ns/x;create /pods ns;"
                + "create /pods/exec ns/p;get rbac.authorization.k8s.io/roles ns/r;"
                + "create /serviceaccounts/token ns/a;list /services -;list /services other",
            false),
        new Case(
            "edit writes workloads and reads secrets",
            "edit",
            "delete /services ns/x;create /pods ns;create /pods/exec ns/p;get /secrets ns/s;"
                + "update apps/deployments/scale ns/d;patch networking.k8s.io/networkpolicies ns/n;"
                + "create /pods/eviction ns/p;get /services ns/x;"
                + "impersonate /serviceaccounts ns/bot",
            true),
        new Case(
            "edit writes neither roles nor endpoints nor quotas",
            "edit",
            "create rbac.authorization.k8s.io/roles ns;update rbac.authorization.k8s.io/rolebindings"
                + " ns/b;update /endpoints ns/e;create discovery.k8s.io/endpointslices ns;"
                + "update /resourcequotas ns/q;delete /namespaces ns/ns;update /pods/status ns/p;"
                + "impersonate /users -/root",
            false),
        new Case(
            "admin manages roles of its namespace",
            "admin",
            "create rbac.authorization.k8s.io/roles ns;delete"
                + " rbac.authorization.k8s.io/rolebindings ns/b;get /secrets ns/s;"
                + "create authorization.k8s.io/localsubjectaccessreviews ns",
            true),
        new Case(
            "admin has no power beyond",
            "admin",
            "create rbac.authorization.k8s.io/clusterroles -;get /nodes -/n;"
                + "create rbac.authorization.k8s.io/roles other;update /resourcequotas ns/q",
            false),
        new Case(
            "kube-proxy",
            "system:kube-proxy",
            "list /services -;watch discovery.k8s.io/endpointslices -;get /nodes -/n;"
                + "create /events ns;create events.k8s.io/events ns;"
                + "watch networking.k8s.io/servicecidrs -;"
                + "patch coordination.k8s.io/leases kube-public/fairlead-proxy-n;"
                + "create coordination.k8s.io/leases kube-public;"
                + "watch coordination.k8s.io/leases kube-public;watch /configmaps kube-public",
            true),
        new Case(
            "kube-proxy: no more",
            "system:kube-proxy",
            "list /pods -;get /secrets ns/s;update /services ns/s;"
                + "patch coordination.k8s.io/leases kube-system/kube-scheduler;"
                + "patch coordination.k8s.io/leases kube-node-lease/n",
            false),
        new Case(
            "nodes see how far proxies are",
            "system:node:n system:nodes",
            "list discovery.k8s.io/endpointslices ns;list coordination.k8s.io/leases kube-public",
            true),
        new Case(
            "nodes do not speak for proxies",
            "system:node:n system:nodes",
            "patch coordination.k8s.io/leases kube-public/fairlead-proxy-n;"
                + "patch /configmaps kube-public/fairlead-load-balancer;"
                + "update discovery.k8s.io/endpointslices ns/s",
            false),
        new Case(
            "coredns",
            "system:serviceaccount:kube-system:coredns",
            "list /services -;watch discovery.k8s.io/endpointslices -;list /pods -;"
                + "watch /namespaces -",
            true),
        new Case(
            "coredns: no more",
            "system:serviceaccount:kube-system:coredns",
            "list /secrets -;get /secrets ns/s",
            false),
        new Case(
            "controller manager",
            "system:kube-controller-manager",
            "list apps/deployments -;update apps/deployments/status ns/d;create /pods ns;"
                + "create discovery.k8s.io/endpointslices ns;update /endpoints ns/e;"
                + "delete /namespaces -/ns;update /namespaces/finalize -/ns;"
                + "patch coordination.k8s.io/leases kube-system/kube-controller-manager;"
                + "create /serviceaccounts ns;create /configmaps ns;"
                + "escalate rbac.authorization.k8s.io/clusterroles -/admin",
            true),
        new Case(
            "scheduler",
            "system:kube-scheduler",
            "watch /pods -;create /pods/binding ns/p;list /nodes -;create /events ns;"
                + "update coordination.k8s.io/leases kube-system/kube-scheduler",
            true),
        new Case(
            "service accounts read the keys of their tokens",
            "system:serviceaccount:ns:bot system:serviceaccounts",
            "get /openid/v1/jwks;get /.well-known/openid-configuration",
            true),
        new Case("monitoring", "prom system:monitoring", "get /metrics;get /livez/ping", true),
        new Case(
            "a node's certificate alone is not enough for RBAC",
            "system:node:n1 system:nodes",
            "get /secrets ns/s;list /pods -",
            false));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void defaults(Case row) {
    String[] names = row.user().split(" ");
    UserInfo user = RbacAuthorizerTest.user(names[0], Arrays.copyOfRange(names, 1, names.length));
    for (String question : row.questions().split(";")) {
      assertThat(AUTHORIZER.authorize(RbacAuthorizerTest.ask(user, question)).allowed())
          .as("%s: %s", row.user(), question)
          .isEqualTo(row.allowed());
    }
  }

  @Test
  void storedRulesOfAggregatedRolesAreComplete() {
    List<ObjectNode> objects = RbacBootstrap.objects();
    int view = named(objects, "view").path("rules").size();
    int edit = named(objects, "edit").path("rules").size();
    int admin = named(objects, "admin").path("rules").size();
    assertThat(view).isEqualTo(named(objects, "system:aggregate-to-view").path("rules").size());
    assertThat(edit).isGreaterThan(view);
    assertThat(admin).isGreaterThan(edit);
  }

  @Test
  void everyBindingNamesARoleThatExistsOnce() {
    List<ObjectNode> objects = RbacBootstrap.objects();
    Set<String> seen = new HashSet<>();
    for (ObjectNode object : objects) {
      String key = object.path("kind").asString("") + " " + object.path("metadata");
      assertThat(seen.add(key)).as(key).isTrue();
      if (object.has("roleRef")) {
        assertThat(objects)
            .anyMatch(
                role ->
                    role.path("kind").equals(object.path("roleRef").path("kind"))
                        && role.path("metadata")
                            .path("name")
                            .equals(object.path("roleRef").path("name")));
      } else {
        assertThat(object.path("rules")).as(key).isNotEmpty();
      }
    }
  }

  private static ObjectNode named(List<ObjectNode> objects, String name) {
    return objects.stream()
        .filter(object -> Json.textOr(object, "", "metadata", "name").equals(name))
        .filter(object -> object.path("kind").asString("").equals("ClusterRole"))
        .findFirst()
        .orElseThrow();
  }
}
