package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What users and nodes try, to draw the traffic of load balancers to themselves or to end it, with
/// the rights that they have by default (X2 of BENCH.md, LX3 and LX4 of spec/loadbalancer.md).
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BalancerAttackTest {
  private static final String SERVICES = "/api/v1/namespaces/shop/services";
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
  private static final String HELD = "203.0.113.9";

  @TempDir static Path directory;
  private TestServer server;

  @BeforeAll
  void start() throws Exception {
    Path tokens =
        Files.writeString(
            directory.resolve("tokens"),
            "admin,root,1,system:masters\nnode,system:node:n1,2,system:nodes\n"
                + "writer,writer,3\nowner,owner,4\n"
                + "balancer,system:serviceaccount:metallb-system:controller,5\n");
    server = TestServer.startSecured(directory.resolve("pki"), tokens, InstantSource.system());
    made("/api/v1/namespaces", "{'metadata':{'name':'shop'}}");
    made(SERVICES, service("web"));
    made(SERVICES, service("held"));
    made(
        RBAC + "/namespaces/shop/roles",
        "{'metadata':{'name':'writer'},'rules':[{'apiGroups':[''],"
            + "'resources':['services','services/status'],"
            + "'verbs':['get','create','update','patch']}]}");
    made(
        RBAC + "/namespaces/shop/roles",
        "{'metadata':{'name':'owner'},'rules':[{'apiGroups':['*'],'resources':['*'],"
            + "'verbs':['*']}]}");
    for (String user : List.of("writer", "owner")) {
      made(RBAC + "/namespaces/shop/rolebindings", binding(user, "Role", user, "User", user));
    }
    made(
        RBAC + "/clusterroles",
        "{'metadata':{'name':'metallb'},'rules':[{'apiGroups':[''],"
            + "'resources':['services/status'],'verbs':['update','patch']}]}");
    for (String role : List.of("metallb", "fairlead:load-balancers")) {
      made(
          RBAC + "/clusterrolebindings",
          binding(
              "of-" + role,
              "ClusterRole",
              role,
              "User",
              "system:serviceaccount:metallb-system:controller"));
    }
    made(
        "/api/v1/namespaces/kube-public/configmaps",
        "{'metadata':{'name':'fairlead-load-balancer'},'data':{'pools.yaml':"
            + "'pools: [{name: lan, addresses: [192.0.2.240-192.0.2.250, \\\"fd00:2::/120\\\"]}]'}}");
    assertThat(status("balancer", "held", HELD).code()).as("a bound balancer").isEqualTo(200);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static String service(String name) {
    return "{'metadata':{'name':'"
        + name
        + "'},'spec':{'type':'LoadBalancer','ports':[{'port':80}]},"
        + "'status':{'loadBalancer':{'ingress':[{'ip':'8.8.8.8'}]}}}";
  }

  private static String binding(
      String name, String roleKind, String role, String kind, String subject) {
    return "{'metadata':{'name':'"
        + name
        + "'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'"
        + roleKind
        + "','name':'"
        + role
        + "'},'subjects':[{'kind':'"
        + kind
        + "','apiGroup':'rbac.authorization.k8s.io','name':'"
        + subject
        + "'}]}";
  }

  private Answer status(String user, String service, String address) {
    return as(user, "PATCH", SERVICES + "/" + service + "/status")
        .header("Content-Type", "application/merge-patch+json")
        .body("{'status':{'loadBalancer':{'ingress':[{'ip':'" + address + "'}]}}}")
        .now();
  }

  private String ingress(String service) {
    return server.get(SERVICES + "/" + service).at("status", "loadBalancer");
  }

  @Test
  void aUserOfANamespaceDrawsNoForeignAddress() {
    for (String user : List.of("writer", "owner")) {
      Answer refused = status(user, "web", "8.8.8.8");
      assertThat(refused.code()).as(user + refused.text()).isIn(403, 422);
      assertThat(refused.message())
          .contains("only a load balancer controller may name 8.8.8.8", "\"" + user + "\"");
    }
    assertThat(ingress("web")).isEqualTo("{}");
  }

  @Test
  void norInAnyOtherWayOfWriting() {
    Answer created = as("writer", "POST", SERVICES).body(service("new")).now();
    assertThat(created.code()).as(created.text()).isEqualTo(201);
    assertThat(ingress("new")).isEqualTo("{}");
    Answer whole =
        as("writer", "PATCH", SERVICES + "/web")
            .header("Content-Type", "application/merge-patch+json")
            .body("{'status':{'loadBalancer':{'ingress':[{'ip':'8.8.8.8'}]}}}")
            .now();
    assertThat(whole.code()).as(whole.text()).isEqualTo(200);
    for (String type : List.of("application/json-patch+json", "application/apply-patch+yaml")) {
      String body =
          type.startsWith("application/json")
              ? "[{'op':'add','path':'/status/loadBalancer/ingress','value':[{'ip':'8.8.8.8'}]}]"
              : "{'apiVersion':'v1','kind':'Service','metadata':{'name':'web'},"
                  + "'status':{'loadBalancer':{'ingress':[{'ip':'8.8.8.8'}]}}}";
      Answer refused =
          as("writer", "PATCH", SERVICES + "/web/status?fieldManager=w")
              .header("Content-Type", type)
              .body(body)
              .now();
      assertThat(refused.message()).as(type).contains("only a load balancer controller");
    }
    assertThat(ingress("web")).isEqualTo("{}");
  }

  /// What a node says is its own, and whose it is.
  private record Claim(String name, String method, String path, String body, String owner) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Claim> claims() {
    return Stream.of(
        reported("an address of a pool", "InternalIP", "192.0.2.245", "load balancer pool lan"),
        reported("another type of it", "ExternalIP", "192.0.2.240", "load balancer pool lan"),
        reported("as a host name", "Hostname", "192.0.2.241", "load balancer pool lan"),
        reported("IPv6, long", "InternalIP", "fd00:2:0:0::00ff", "load balancer pool lan"),
        reported("that of a Service", "ExternalIP", HELD, "Service shop/held"),
        reported("of the service range", "InternalIP", "10.96.0.1", "the range of Services"),
        new Claim(
            "a pool's addresses for its pods",
            "PATCH",
            "/api/v1/nodes/n1",
            "{'spec':{'podCIDR':'192.0.2.0/24','podCIDRs':['192.0.2.0/24']}}",
            "load balancer pool lan"),
        new Claim(
            "for its pods that of a Service",
            "PATCH",
            "/api/v1/nodes/n1",
            "{'spec':{'podCIDR':'203.0.113.0/28','podCIDRs':['203.0.113.0/28']}}",
            "Service shop/held"),
        new Claim(
            "with its first report",
            "POST",
            "/api/v1/nodes",
            "{'metadata':{'name':'n1'},'status':{'addresses':[{'type':'InternalIP',"
                + "'address':'192.0.2.245'}]}}",
            "load balancer pool lan"));
  }

  private static Claim reported(String name, String type, String address, String owner) {
    return new Claim(
        name,
        "PATCH",
        "/api/v1/nodes/n1/status",
        "{'status':{'addresses':[{'type':'InternalIP','address':'198.51.100.11'},{'type':'"
            + type
            + "','address':'"
            + address
            + "'}]}}",
        owner);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("claims")
  void aNodeTakesNoAddressOfABalancer(Claim claim) {
    boolean first = claim.method().equals("POST");
    if (first) {
      as("admin", "DELETE", "/api/v1/nodes/n1").now();
    } else {
      made("/api/v1/nodes", "{'metadata':{'name':'n1'}}");
    }
    TestServer.Sending sending = as("node", claim.method(), claim.path()).body(claim.body());
    if (!first) {
      sending.header("Content-Type", "application/merge-patch+json");
    }
    Answer refused = sending.now();
    assertThat(refused.code()).as(refused.text()).isEqualTo(403);
    assertThat(refused.message()).contains("is not allowed to take ", claim.owner());
    assertThat(as("admin", "GET", "/api/v1/nodes/n1").now().text())
        .doesNotContain("192.0.2.2", HELD, "203.0.113.0");
  }

  /// A node that has the address of a pool that was made later says nothing new.
  @Test
  void aNodeGoesOnWithWhatItHasAndReportsItsOwn() {
    made("/api/v1/nodes", "{'metadata':{'name':'n1'}}");
    String path = "/api/v1/nodes/n1/status";
    for (List<String> step :
        List.of(List.of("admin", "192.0.2.242"), List.of("node", "192.0.2.242"))) {
      Answer answer =
          as(step.getFirst(), "PATCH", path)
              .header("Content-Type", "application/merge-patch+json")
              .body(
                  "{'status':{'addresses':[{'type':'InternalIP','address':'"
                      + step.getLast()
                      + "'}],'phase':'"
                      + step.getFirst()
                      + "'}}")
              .now();
      assertThat(answer.code()).as(answer.text()).isEqualTo(200);
    }
    Answer own =
        as("node", "PATCH", path)
            .header("Content-Type", "application/merge-patch+json")
            .body(
                "{'status':{'addresses':[{'type':'InternalIP','address':'198.51.100.11'},"
                    + "{'type':'Hostname','address':'n1'}]}}")
            .now();
    assertThat(own.code()).as(own.text()).isEqualTo(200);
  }

  private void made(String path, String body) {
    Answer answer = server.post(path, body);
    assertThat(answer.code()).as(path + answer.text()).isIn(201, 409);
  }

  private TestServer.Sending as(String user, String method, String path) {
    return server.send(method, path).header("Authorization", "Bearer " + user);
  }
}
