package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;
import io.fairlead.store.testing.MemoryStore;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Addresses that would turn a node against itself or its neighbours are let in nowhere, in no way
/// of writing them (X2 and X3 of BENCH.md; CVE-2020-8554, CVE-2021-25737).
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForbiddenAddressesTest {
  private static final List<String> CIDR = List.of("10.0.0.0/16");
  private static final String NAMESPACE = "/namespaces/default/";

  private MemoryStore store;
  private TestServer server;
  private TestServer lax;
  private TestServices services;

  @BeforeAll
  void start() throws Exception {
    store = new MemoryStore();
    server = startAs(false);
    lax = startAs(true);
    services = new TestServices(server);
    makeCluster();
    services.made("balancer", "'type':'LoadBalancer'");
  }

  @AfterAll
  void stop() {
    lax.close();
    server.close();
    store.close();
  }

  private TestServer startAs(boolean clusterAddresses) throws Exception {
    return TestServer.startAs(
        new SharedStore(store),
        "198.51.100.7",
        new ApiServerConfig.ServiceNetworkOptions(CIDR, "30000-32767", true, clusterAddresses));
  }

  static Stream<String> addresses() {
    return Stream.of(
        "127.0.0.1",
        "127.255.255.254",
        "127.000.000.001",
        "0177.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "127.0.0.1 ",
        "0.0.0.0",
        "169.254.169.254",
        "224.0.0.1",
        "239.1.2.3",
        "::1",
        "0:0:0:0:0:0:0:1",
        "::",
        "fe80::1",
        "FE80::1",
        "fe80::1%eth0",
        "ff02::1",
        "ff0e::1",
        "::ffff:127.0.0.1",
        "::ffff:7f00:1",
        "0:0:0:0:0:ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:10.0.0.1",
        "[::1]",
        "localhost");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("addresses")
  void isRefusedEverywhere(String address) {
    refused(
        server.post(
            "/api/v1" + NAMESPACE + "endpoints",
            "{'metadata':{'name':'e'},'subsets':[{'addresses':[{'ip':'" + address + "'}]}]}"));
    refused(
        server.post(
            "/api/v1" + NAMESPACE + "endpoints",
            "{'metadata':{'name':'e'},'subsets':[{'notReadyAddresses':[{'ip':'"
                + address
                + "'}]}]}"));
    String type = address.contains(":") ? "IPv6" : "IPv4";
    refused(
        server.post(
            "/apis/discovery.k8s.io/v1" + NAMESPACE + "endpointslices",
            "{'metadata':{'name':'s'},'addressType':'"
                + type
                + "','endpoints':[{'addresses':['"
                + address
                + "']}]}"));
    refused(services.create("external", "'externalIPs':['" + address + "']"));
    refused(ingress(address));
  }

  @Test
  void aBalancerMayNotStandForAService() {
    Answer answer = ingress("10.0.0.1");
    assertThat(answer.message())
        .isEqualTo(
            "Service \"balancer\" is invalid: status.loadBalancer.ingress[0].ip: Invalid value:"
                + " \"10.0.0.1\": may not be in the range of Services (10.0.0.0/16)");
    assertThat(ingress("192.0.2.1").code()).isEqualTo(200);
  }

  /// An address of the cluster that a balancer names, and whose it is.
  record Taken(String name, String address, String owner) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Taken> clusterAddresses() {
    return Stream.of(
        new Taken("a node", "192.0.2.77", "node n1"),
        new Taken("a node, IPv6", "2001:db8::77", "node n1"),
        new Taken("a pod", "10.244.3.9", "the pods of node n1"),
        new Taken("a pod, IPv6", "2001:db8:1::9", "the pods of node n1"),
        new Taken("a further service range", "10.77.0.5", "the range of Services 10.77.0.0/24"),
        new Taken("the API server", "198.51.100.7", "an API server"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("clusterAddresses")
  void aBalancerMayNotStandForTheCluster(Taken taken) {
    Answer refused = ingress(taken.address());
    assertThat(refused.code()).as(refused.text()).isEqualTo(422);
    assertThat(refused.message())
        .contains("status.loadBalancer.ingress[0].ip")
        .contains("belongs to " + taken.owner() + ";")
        .contains("--allow-load-balancer-cluster-addresses=true");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("clusterAddresses")
  void whatIsThereMayStayButNotComeBack(Taken taken) {
    assertThat(ingress(lax, taken.address()).code()).as("allowed there").isEqualTo(200);
    assertThat(ingress(taken.address()).code()).as("already there").isEqualTo(200);
    assertThat(ingress("192.0.2.1").code()).as("given up").isEqualTo(200);
    assertThat(ingress(taken.address()).code()).as("named again").isEqualTo(422);
  }

  /// What the cluster is made of.
  private void makeCluster() {
    server.post(
        "/api/v1/nodes",
        "{'metadata':{'name':'n1'},'spec':{'podCIDR':'10.244.3.0/24',"
            + "'podCIDRs':['10.244.3.0/24','2001:db8:1::/64']}}");
    server
        .send("PATCH", "/api/v1/nodes/n1/status")
        .header("Content-Type", "application/merge-patch+json")
        .body(
            "{'status':{'addresses':[{'type':'Hostname','address':'n1'},"
                + "{'type':'InternalIP','address':'192.0.2.77'},"
                + "{'type':'InternalIP','address':'2001:db8::77'}]}}")
        .now();
    server.post(
        "/apis/networking.k8s.io/v1/servicecidrs",
        "{'metadata':{'name':'more'},'spec':{'cidrs':['10.77.0.0/24']}}");
  }

  @Test
  void externalAddressesAreRefusedUnlessTheyAreAllowed() throws Exception {
    try (MemoryStore store = new MemoryStore()) {
      try (TestServer open =
          TestServer.start(new SharedStore(store), CIDR, "30000-32767", true, 34)) {
        new TestServices(open).made("old", "'externalIPs':['192.0.2.9','192.0.2.10']");
      }
      try (TestServer shut =
          TestServer.start(new SharedStore(store), CIDR, "30000-32767", false, 34)) {
        TestServices there = new TestServices(shut);
        Answer refused = there.create("new", "'externalIPs':['192.0.2.9']");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
            .isEqualTo(
                "services \"new\" is forbidden: Use of external IPs is denied by admission"
                    + " control.");
        // What was there before may stay and may go, but nothing may join it.
        assertThat(there.merge("old", "{'metadata':{'labels':{'a':'b'}}}").code()).isEqualTo(200);
        assertThat(there.merge("old", "{'spec':{'externalIPs':['192.0.2.10']}}").code())
            .isEqualTo(200);
        assertThat(
                there.merge("old", "{'spec':{'externalIPs':['192.0.2.10','192.0.2.11']}}").code())
            .isEqualTo(403);
      }
    }
  }

  private Answer ingress(String address) {
    return ingress(server, address);
  }

  private static Answer ingress(TestServer where, String address) {
    return where
        .send("PATCH", TestServices.PATH + "/balancer/status")
        .header("Content-Type", "application/merge-patch+json")
        .body("{'status':{'loadBalancer':{'ingress':[{'ip':'" + address + "'}]}}}")
        .now();
  }

  private static void refused(Answer answer) {
    assertThat(answer.code()).as(answer.text()).isEqualTo(422);
    assertThat(answer.at("reason")).isEqualTo("Invalid");
  }
}
