package io.fairlead.server.auth.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.Authorizer.Decision;
import io.fairlead.server.auth.Forbidden;
import io.fairlead.server.auth.MapClusterReader;
import io.fairlead.server.auth.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RbacAuthorizerTest {
  static final String GROUP = RbacSource.GROUP;

  final MapClusterReader reader = new MapClusterReader();
  final RbacAuthorizer authorizer = new RbacAuthorizer(RbacSource.of(reader, reader::revision));

  static UserInfo user(String name, String... groups) {
    return new UserInfo(name, "", List.of(groups), Map.of());
  }

  /// `verb group/resource[/subresource] namespace[/name] [fieldSelector]`, or `verb /path`; `-` is
  /// no namespace.
  static Attributes ask(UserInfo user, String question) {
    String[] words = question.split(" ");
    if (words[1].startsWith("/") && words.length == 2) {
      return new Attributes(user, words[0], "", "", "", "", "", "", words[1]);
    }
    String[] what = words[1].split("/");
    String[] where = words[2].split("/", 2);
    return new Attributes(
        user,
        words[0],
        what[0],
        "v1",
        what[1],
        what.length > 2 ? what[2] : "",
        where[0].equals("-") ? "" : where[0],
        where.length > 1 ? where[1] : "",
        "",
        words.length > 3 ? words[3] : "");
  }

  void role(String name, String rules) {
    reader.put(GROUP, "clusterroles", "{'metadata':{'name':'" + name + "'},'rules':" + rules + "}");
  }

  void bind(String namespace, String role, String subject) {
    String head = namespace.isEmpty() ? "" : "'namespace':'" + namespace + "',";
    reader.put(
        GROUP,
        namespace.isEmpty() ? "clusterrolebindings" : "rolebindings",
        "{'metadata':{"
            + head
            + "'name':'b-"
            + role
            + "'},'roleRef':{'kind':'ClusterRole','name':'"
            + role
            + "'},'subjects':["
            + subject
            + "]}");
  }

  record Case(String name, String rule, String question, boolean allowed) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    String pods = "{'apiGroups':[''],'resources':['pods'],'verbs':['get','list']}";
    String named =
        "{'apiGroups':[''],'resources':['configmaps'],'resourceNames':['a','b'],'verbs':['*']}";
    String scale = "{'apiGroups':['*'],'resources':['*/scale'],'verbs':['update']}";
    String all = "{'apiGroups':['*'],'resources':['*'],'verbs':['*']}";
    String exec = "{'apiGroups':[''],'resources':['pods/exec'],'verbs':['create']}";
    String paths = "{'nonResourceURLs':['/metrics','/logs/*','/debug*'],'verbs':['get']}";
    String anyPath = "{'nonResourceURLs':['*'],'verbs':['*']}";
    return Stream.of(
        new Case("verb of the rule", pods, "get /pods ns/p", true),
        new Case("another verb of the rule", pods, "list /pods ns", true),
        new Case("verb not in the rule", pods, "delete /pods ns/p", false),
        new Case("another resource", pods, "get /services ns/s", false),
        new Case("same resource of another group", pods, "get apps/pods ns/p", false),
        new Case("subresource needs its own entry", pods, "get /pods/log ns/p", false),
        new Case("cluster scope by a cluster binding", pods, "list /pods -", true),
        new Case("a resource rule says nothing of paths", all, "get /metrics", false),
        new Case("subresource by name", exec, "create /pods/exec ns/p", true),
        new Case("the parent is not implied", exec, "create /pods ns", false),
        new Case("*/scale: deployments", scale, "update apps/deployments/scale ns/d", true),
        new Case(
            "*/scale: another subresource", scale, "update apps/deployments/status ns/d", false),
        new Case("*/scale: the parent", scale, "update apps/deployments ns/d", false),
        new Case("stars: resource", all, "delete apps/deployments ns/d", true),
        new Case("stars: subresource", all, "get /pods/log ns/p", true),
        new Case("stars asked for", all, "* */* -", true),
        new Case("named: first", named, "get /configmaps ns/a", true),
        new Case("named: second", named, "update /configmaps ns/b", true),
        new Case("named: another", named, "get /configmaps ns/c", false),
        new Case("named: list of all", named, "list /configmaps ns", false),
        new Case("named: list by metadata.name", named, "list /configmaps ns/a", true),
        new Case("named: watch by metadata.name", named, "watch /configmaps ns/b", true),
        new Case("named: create has no name", named, "create /configmaps ns", false),
        new Case(
            "named: deletecollection never", named, "deletecollection /configmaps ns/a", false),
        new Case("path: exact", paths, "get /metrics", true),
        new Case("path: longer than exact", paths, "get /metrics/slis", false),
        new Case("path: below a star", paths, "get /logs/a/b", true),
        new Case("path: the star's own parent", paths, "get /logs", false),
        new Case("path: star inside a word", paths, "get /debugger", true),
        new Case("path: verb", paths, "post /metrics", false),
        new Case("path: any", anyPath, "post /anything", true),
        new Case("a path rule says nothing of resources", anyPath, "get /pods ns/p", false));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void rule(Case row) {
    role("r", "[" + row.rule() + "]");
    bind("", "r", "{'kind':'User','name':'bob'}");
    assertThat(authorizer.authorize(ask(user("bob"), row.question())).allowed())
        .isEqualTo(row.allowed());
    assertThat(authorizer.authorize(ask(user("eve"), row.question())).allowed()).isFalse();
  }

  record Who(String name, String subject, UserInfo user, boolean allowed, String reason) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Who> subjects() {
    String account = "{'kind':'ServiceAccount','name':'bot','namespace':'ns'}";
    return Stream.of(
        new Who("user", "{'kind':'User','name':'bob'}", user("bob"), true, "User \"bob\""),
        new Who("another user", "{'kind':'User','name':'bob'}", user("eve"), false, ""),
        new Who("group", "{'kind':'Group','name':'g'}", user("eve", "g"), true, "Group \"g\""),
        new Who("a user is no group", "{'kind':'Group','name':'bob'}", user("bob"), false, ""),
        new Who(
            "account",
            account,
            user("system:serviceaccount:ns:bot"),
            true,
            "ServiceAccount \"bot/ns\""),
        new Who("account elsewhere", account, user("system:serviceaccount:x:bot"), false, ""),
        new Who(
            "account of the binding's namespace",
            "{'kind':'ServiceAccount','name':'bot'}",
            user("system:serviceaccount:ns:bot"),
            true,
            "ServiceAccount \"bot/ns\""));
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void subject(Who row) {
    role("r", "[{'apiGroups':[''],'resources':['pods'],'verbs':['get']}]");
    bind("ns", "r", row.subject());
    Decision decision = authorizer.authorize(ask(row.user(), "get /pods ns/p"));
    assertThat(decision.allowed()).isEqualTo(row.allowed());
    assertThat(decision.reason())
        .isEqualTo(
            row.allowed()
                ? "RBAC: allowed by RoleBinding \"b-r/ns\" of ClusterRole \"r\" to " + row.reason()
                : "");
  }

  @Test
  void aRoleBindingHoldsInItsNamespaceOnly() {
    role("r", "[{'apiGroups':['*'],'resources':['*'],'verbs':['*']}]");
    bind("ns", "r", "{'kind':'User','name':'bob'}");
    assertThat(authorizer.authorize(ask(user("bob"), "get /pods ns/p")).allowed()).isTrue();
    assertThat(authorizer.authorize(ask(user("bob"), "get /pods other/p")).allowed()).isFalse();
    assertThat(authorizer.authorize(ask(user("bob"), "list /pods -")).allowed()).isFalse();
    assertThat(authorizer.authorize(ask(user("bob"), "get /namespaces -/ns")).allowed()).isTrue();
    assertThat(authorizer.authorize(ask(user("bob"), "get /namespaces -/x")).allowed()).isFalse();
    assertThat(authorizer.authorize(ask(user("bob"), "get /nodes -/n")).allowed()).isFalse();
  }

  @Test
  void mastersMayDoEverything() {
    assertThat(authorizer.authorize(ask(user("x", "system:masters"), "* */* -")))
        .isEqualTo(new Decision(true, ""));
    assertThat(authorizer.rules(user("x", "system:masters"), "ns")).hasSize(2);
  }

  @Test
  void changesCountAtOnce() {
    UserInfo bob = user("bob");
    assertThat(authorizer.authorize(ask(bob, "get /pods ns/p")).allowed()).isFalse();
    role("r", "[{'apiGroups':[''],'resources':['pods'],'verbs':['get']}]");
    bind("ns", "r", "{'kind':'User','name':'bob'}");
    assertThat(authorizer.authorize(ask(bob, "get /pods ns/p")).allowed()).isTrue();
    role("r", "[{'apiGroups':[''],'resources':['services'],'verbs':['get']}]");
    assertThat(authorizer.authorize(ask(bob, "get /pods ns/p")).allowed()).isFalse();
    assertThat(authorizer.authorize(ask(bob, "get /services ns/p")).allowed()).isTrue();
    reader.remove(GROUP, "rolebindings", "ns", "b-r");
    assertThat(authorizer.authorize(ask(bob, "get /services ns/p")).allowed()).isFalse();
  }

  @Test
  void aMissingRoleIsNamed() {
    bind("ns", "nosuch", "{'kind':'User','name':'bob'}");
    assertThat(authorizer.authorize(ask(user("bob"), "get /pods ns/p")))
        .isEqualTo(
            new Decision(
                false, "RBAC: clusterrole.rbac.authorization.k8s.io \"nosuch\" not found"));
  }

  @Test
  void rulesForAReviewAreThoseOfClusterAndNamespace() {
    role("a", "[{'apiGroups':[''],'resources':['pods'],'verbs':['get']}]");
    role("b", "[{'nonResourceURLs':['/metrics'],'verbs':['get']}]");
    bind("ns", "a", "{'kind':'User','name':'bob'}");
    bind("", "b", "{'kind':'User','name':'bob'}");
    assertThat(authorizer.rules(user("bob"), "ns")).hasSize(2);
    assertThat(authorizer.rules(user("bob"), "other")).hasSize(1);
  }

  @Test
  void aggregatedRolesFollowTheirLabels() {
    reader.put(
        GROUP,
        "clusterroles",
        "{'metadata':{'name':'sum'},'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':{'to':'sum'}}]}}");
    bind("", "sum", "{'kind':'User','name':'bob'}");
    assertThat(authorizer.authorize(ask(user("bob"), "get /pods ns/p")).allowed()).isFalse();
    reader.put(
        GROUP,
        "clusterroles",
        "{'metadata':{'name':'part','labels':{'to':'sum'}},'rules':[{'apiGroups':[''],'resources':['pods'],'verbs':['get']}]}");
    assertThat(authorizer.authorize(ask(user("bob"), "get /pods ns/p")).allowed()).isTrue();
  }

  record Text(String name, String question, String message) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Text> texts() {
    return Stream.of(
        new Text(
            "P20",
            "delete /services default/x",
            "services \"x\" is forbidden: User \"u\" cannot delete resource \"services\" in API"
                + " group \"\" in the namespace \"default\""),
        new Text(
            "list in a namespace",
            "list /services default",
            "services is forbidden: User \"u\" cannot list resource \"services\" in API group \"\""
                + " in the namespace \"default\""),
        new Text(
            "cluster scope",
            "list /services -",
            "services is forbidden: User \"u\" cannot list resource \"services\" in API group \"\""
                + " at the cluster scope"),
        new Text(
            "group and subresource",
            "update apps/deployments/scale ns/d",
            "deployments.apps \"d\" is forbidden: User \"u\" cannot update resource"
                + " \"deployments/scale\" in API group \"apps\" in the namespace \"ns\""),
        new Text("path", "get /metrics", "forbidden: User \"u\" cannot get path \"/metrics\""));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void refusal(Text row) {
    assertThat(Forbidden.answer(ask(user("u"), row.question()), "").status().message())
        .isEqualTo(row.message());
    assertThat(Forbidden.answer(ask(user("u"), row.question()), "why").status().message())
        .isEqualTo(row.message() + ": why");
  }
}
