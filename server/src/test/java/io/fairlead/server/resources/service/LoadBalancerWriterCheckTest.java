package io.fairlead.server.resources.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Problems;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// Who may name addresses in the status of a balancer (X2 of BENCH.md).
class LoadBalancerWriterCheckTest {
  private record Row(String name, String user, String before, String after, boolean allowed) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("the controller names an address", "balancer", "", "{ip: 192.0.2.1}", true),
        new Row("another user draws a foreign address", "eve", "", "{ip: 8.8.8.8}", false),
        new Row(
            "another besides the one there",
            "eve",
            "{ip: 192.0.2.1}",
            "{ip: 192.0.2.1}, {ip: 8.8.8.8}",
            false),
        new Row(
            "one in the place of the one there", "eve", "{ip: 192.0.2.1}", "{ip: 8.8.8.8}", false),
        new Row("with a name besides", "eve", "", "{ip: 8.8.8.8, hostname: x.example}", false),
        new Row("the one there stays", "eve", "{ip: 192.0.2.1}", "{ip: 192.0.2.1}", true),
        new Row("the one there goes", "eve", "{ip: 192.0.2.1}", "", true),
        new Row("a name, which no proxy follows", "eve", "", "{hostname: x.example}", true));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void onlyLoadBalancerControllersNameAddresses(Row row) {
    Problems problems = new Problems();
    LoadBalancerWriterCheck.check(
        service(row.after), service(row.before), context(row.user), problems);
    assertThat(problems.isEmpty()).isEqualTo(row.allowed);
    if (!row.allowed) {
      assertThat(problems.list().getFirst().toString())
          .contains("8.8.8.8", "\"eve\"", "fairlead:load-balancers");
    }
  }

  private static ObjectNode service(String ingress) {
    return (ObjectNode)
        Yaml.parse("{metadata: {name: web}, status: {loadBalancer: {ingress: [" + ingress + "]}}}");
  }

  private static RequestContext context(String user) {
    Authorizer authorizer =
        new Authorizer() {
          @Override
          public Decision authorize(Attributes asked) {
            return new Decision(
                asked.user().name().equals("balancer")
                    && asked.verb().equals("balance")
                    && asked.resource().equals("services")
                    && asked.namespace().isEmpty(),
                "");
          }

          @Override
          public List<Rule> rules(UserInfo who, String namespace) {
            return List.of();
          }
        };
    return (RequestContext)
        Proxy.newProxyInstance(
            RequestContext.class.getClassLoader(),
            new Class<?>[] {RequestContext.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "user" -> new UserInfo(user, "", List.of(), Map.of());
                  case "authorizer" -> authorizer;
                  default -> throw new AssertionError("not expected: " + method);
                });
  }
}
