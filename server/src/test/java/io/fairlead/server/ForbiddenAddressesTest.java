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

  private TestServer server;
  private Services services;

  @BeforeAll
  void start() throws Exception {
    server = TestServer.start(new MemoryStore(), CIDR, "30000-32767", true, 34);
    services = new Services(server);
    services.made("balancer", "'type':'LoadBalancer'");
  }

  @AfterAll
  void stop() {
    server.close();
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

  @Test
  void externalAddressesAreRefusedUnlessTheyAreAllowed() throws Exception {
    try (MemoryStore store = new MemoryStore()) {
      try (TestServer open = TestServer.start(new Shared(store), CIDR, "30000-32767", true, 34)) {
        new Services(open).made("old", "'externalIPs':['192.0.2.9','192.0.2.10']");
      }
      try (TestServer shut = TestServer.start(new Shared(store), CIDR, "30000-32767", false, 34)) {
        Services there = new Services(shut);
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
    return server
        .send("PATCH", Services.PATH + "/balancer/status")
        .header("Content-Type", "application/merge-patch+json")
        .body("{'status':{'loadBalancer':{'ingress':[{'ip':'" + address + "'}]}}}")
        .now();
  }

  private static void refused(Answer answer) {
    assertThat(answer.code()).as(answer.text()).isEqualTo(422);
    assertThat(answer.at("reason")).isEqualTo("Invalid");
  }
}
