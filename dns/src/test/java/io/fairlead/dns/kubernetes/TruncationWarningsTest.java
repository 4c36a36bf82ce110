package io.fairlead.dns.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.dns.testing.DnsTestClient;
import io.fairlead.dns.testing.DnsTestCluster;
import io.fairlead.dns.testing.TestDnsServer;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// More endpoints than any message can carry.
class TruncationWarningsTest {
  private static final String NAME = "_web._tcp.swarm.quay.svc.cluster.local";

  private static List<ObjectNode> events(Client client) {
    List<ObjectNode> events = new ArrayList<>();
    client.listAll(ResourceType.EVENTS, "quay", ListOptions.ALL, events::add);
    return events;
  }

  @Test
  void theServiceGetsAnEventAndClientsAPart() throws Exception {
    DnsTestCluster cluster = new DnsTestCluster();
    cluster.namespace("quay");
    cluster.service("quay/swarm", "None", "web/TCP/80");
    for (int slice = 0; slice < 2; slice++) {
      int from = slice * 700;
      cluster.slice(
          "quay/swarm-" + slice,
          "swarm",
          "IPv4",
          "web/TCP/80",
          IntStream.range(from, from + 700)
              .mapToObj(i -> "10.250." + (i >> 8) + "." + (i & 255))
              .toArray(String[]::new));
    }
    String corefile = ".:0 {\n kubernetes cluster.local\n}";
    try (TestDnsServer server =
        new TestDnsServer(corefile, cluster::client, List.of("10.244.0.5"), List.of())) {
      server.awaitDenial();
      DnsMessage reply = DnsTestClient.tcp(server.address(), NAME, "SRV");
      assertThat(reply.header().is(Header.TC)).isTrue();
      assertThat(reply.answer()).hasSizeBetween(900, 1100);
      await().atMost(TestDnsServer.PATIENCE).until(() -> !events(cluster.client()).isEmpty());
      ObjectNode event = events(cluster.client()).getFirst();
      assertThat(Json.text(event, "reason")).isEqualTo("DNSAnswerTooLarge");
      assertThat(Json.text(event, "type")).isEqualTo("Warning");
      assertThat(Json.text(event, "message")).startsWith("1400 SRV records do not fit");
      assertThat(Json.text(event, "involvedObject", "name")).isEqualTo("swarm");
      assertThat(Json.text(event, "involvedObject", "uid")).isNotEmpty();
    }
  }
}
