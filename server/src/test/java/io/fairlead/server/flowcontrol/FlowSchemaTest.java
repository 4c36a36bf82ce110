package io.fairlead.server.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.request.RequestInfo;
import io.fairlead.server.resources.cluster.FlowControlDefaults;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// Which flow schema a request falls under.
class FlowSchemaTest {
  private static final UserInfo JO = user("jo", "system:authenticated", "devs");
  private static final String PODS =
      "{'verbs':['get','list'],'apiGroups':[''],'resources':['pods'],";

  private record Case(String name, String rule, RequestInfo request, UserInfo user, boolean fits) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    String byJo = subject("'kind':'User','user':{'name':'jo'}");
    String everybody = subject("'kind':'User','user':{'name':'*'}");
    String account =
        subject("'kind':'ServiceAccount','serviceAccount':{'namespace':'a','name':'b'}");
    String anyAccount =
        subject("'kind':'ServiceAccount','serviceAccount':{'namespace':'a','name':'*'}");
    String inA = resources(PODS + "'namespaces':['a']}");
    String anywhere = resources(PODS + "'namespaces':['*']}");
    String cluster = resources(PODS + "'clusterScope':true}");
    return Stream.of(
        new Case("user and namespace", byJo + inA, get("a", "pods", ""), JO, true),
        new Case("another user", byJo + inA, get("a", "pods", ""), user("jim"), false),
        new Case("another namespace", byJo + inA, get("b", "pods", ""), JO, false),
        new Case("another resource", byJo + inA, get("a", "services", ""), JO, false),
        new Case("a subresource is another", byJo + inA, get("a", "pods", "status"), JO, false),
        new Case("all namespaces", everybody + anywhere, get("z", "pods", ""), JO, true),
        new Case("no namespace is not all", byJo + anywhere, get("", "pods", ""), JO, false),
        new Case("cluster scope", byJo + cluster, get("", "pods", ""), JO, true),
        new Case("cluster scope is no namespace", byJo + cluster, get("a", "pods", ""), JO, false),
        new Case("group", group("devs") + inA, get("a", "pods", ""), JO, true),
        new Case("another group", group("ops") + inA, get("a", "pods", ""), JO, false),
        new Case("every group", group("*") + inA, get("a", "pods", ""), user("x"), true),
        new Case("service account", account + inA, get("a", "pods", ""), sa("a", "b"), true),
        new Case("another account", account + inA, get("a", "pods", ""), sa("a", "c"), false),
        new Case("account elsewhere", anyAccount + inA, get("a", "pods", ""), sa("ab", "c"), false),
        new Case("every account", anyAccount + inA, get("a", "pods", ""), sa("a", "c"), true),
        new Case(
            "a namespace lies in itself",
            byJo
                + resources(
                    "{'verbs':['*'],'apiGroups':['*'],'resources':['*'],'namespaces':['a']}"),
            named("namespaces", "a"),
            JO,
            true),
        new Case("path", byJo + paths("/x"), path("/x"), JO, true),
        new Case("below a path", byJo + paths("/x/*"), path("/x/y"), JO, true),
        new Case("a path that begins alike", byJo + paths("/x/*"), path("/xy"), JO, false),
        new Case("all paths", byJo + paths("*"), path("/y"), JO, true),
        new Case("a path is no resource", byJo + inA, path("/x"), JO, false),
        new Case("a resource is no path", byJo + paths("*"), get("a", "pods", ""), JO, false));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aRequestFallsUnderASchema(Case one) {
    String schema = "{'metadata':{'name':'s'},'spec':{'rules':[{" + one.rule() + "}]}}";
    assertThat(FlowSchema.of(json(schema)).matches(one.request(), one.user()))
        .isEqualTo(one.fits());
  }

  static Stream<Map.Entry<String, String>> defaults() {
    // Who asks for what, and the schema of the original that takes it.
    return Stream.of(
        Map.entry("admin system:masters|pods", "exempt"),
        Map.entry("system:node:n system:nodes|leases", "system-node-high"),
        Map.entry("system:node:n system:nodes|pods", "system-nodes"),
        Map.entry("system:kube-scheduler system:authenticated|leases", "system-leader-election"),
        Map.entry("system:kube-scheduler system:authenticated|pods", "kube-scheduler"),
        Map.entry(
            "system:serviceaccount:kube-system:x system:serviceaccounts|pods",
            "kube-system-service-accounts"),
        Map.entry("system:serviceaccount:d:x system:serviceaccounts|pods", "service-accounts"),
        Map.entry("jo system:authenticated|pods", "global-default"),
        Map.entry("jo nothing|pods", "catch-all"));
  }

  @ParameterizedTest
  @MethodSource("defaults")
  void theDefaultSchemasTakeWhatTheyTakeInTheOriginal(Map.Entry<String, String> row) {
    String[] parts = row.getKey().split("[ |]");
    RequestInfo request =
        parts[2].equals("leases")
            ? info("coordination.k8s.io", "d", "leases", "x", "")
            : get("d", parts[2], "");
    FlowControlConfig config =
        FlowControlConfig.of(
            source(FlowControlDefaults.schemas(), FlowControlDefaults.levels()),
            new SeatDispatcher(600, new ManualTicker()));
    assertThat(config.classify(request, user(parts[0], parts[1])).schema().name())
        .isEqualTo(row.getValue());
  }

  static FlowControl.Source source(List<ObjectNode> schemas, List<ObjectNode> levels) {
    return new FlowControl.Source() {
      @Override
      public long version() {
        return 1;
      }

      @Override
      public List<ObjectNode> schemas() {
        return schemas;
      }

      @Override
      public List<ObjectNode> levels() {
        return levels;
      }
    };
  }

  private static String subject(String subject) {
    return "'subjects':[{" + subject + "}],";
  }

  private static String group(String name) {
    return subject("'kind':'Group','group':{'name':'" + name + "'}");
  }

  private static String resources(String rule) {
    return "'resourceRules':[" + rule + "]";
  }

  private static String paths(String path) {
    return "'nonResourceRules':[{'verbs':['get'],'nonResourceURLs':['" + path + "']}]";
  }

  private static RequestInfo get(String namespace, String resource, String subresource) {
    return info("", namespace, resource, "x", subresource);
  }

  private static RequestInfo named(String resource, String name) {
    return info("", "", resource, name, "");
  }

  private static RequestInfo info(
      String group, String namespace, String resource, String name, String subresource) {
    return new RequestInfo(
        true,
        "get",
        "",
        group,
        "v1",
        namespace,
        resource,
        name,
        subresource,
        "",
        !namespace.isEmpty(),
        false);
  }

  private static RequestInfo path(String path) {
    return RequestInfo.ofPath("GET", path);
  }

  private static UserInfo user(String name, String... groups) {
    return new UserInfo(name, "", List.of(groups), Map.of());
  }

  private static UserInfo sa(String namespace, String name) {
    return UserInfo.serviceAccount(namespace, name);
  }

  static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
