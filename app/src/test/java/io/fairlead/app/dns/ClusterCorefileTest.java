package io.fairlead.app.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class ClusterCorefileTest {
  private static final IpAddress OWN = IpAddress.parse("10.96.0.10");

  @Test
  void otherNamesGoWhereTheMachineAsksButNeverToItself() {
    assertThat(
            ClusterCorefile.upstreams(
                """
                # nameserver 192.0.2.9
                search example.org
                nameserver 192.0.2.1
                nameserver 10.96.0.10
                nameserver 192.0.2.1
                nameserver fe80::1%eth0
                nameserver 2001:db8::53
                nameserver
                """,
                OWN))
        .containsExactly(IpAddress.parse("192.0.2.1"), IpAddress.parse("2001:db8::53"));
  }

  @Test
  void theServerTakesWhatIsWritten(@TempDir Path directory) throws Exception {
    String text =
        new ClusterCorefile(
                OWN,
                53,
                "cluster.local",
                URI.create("https://127.0.0.1:6443"),
                directory.resolve("with a blank"),
                List.of(IpAddress.parse("192.0.2.1")))
            .text();
    assertThat(text).contains("bind 10.96.0.10", "forward . 192.0.2.1", "\"" + directory);
    Path file = Files.writeString(directory.resolve("Corefile"), text);
    NameServer.check(
        CorefileConfiguration.of(file.toString(), 53, Map.of()), InstantSource.system());
  }

  @Test
  void withoutUpstreamNothingIsForwarded() {
    assertThat(
            new ClusterCorefile(
                    OWN, 53, "cluster.local", URI.create("https://x"), Path.of("/p"), List.of())
                .text())
        .doesNotContain("forward");
  }

  @Test
  void theServiceIsMadeOnceAndFollowsTheAddress() {
    try (Client client = new Client(new FakeApi(List.of(ResourceType.SERVICES)))) {
      DnsService.ensure(client, OWN);
      ObjectNode made = client.get(ResourceType.SERVICES, DnsService.NAME);
      DnsService.ensure(client, OWN);
      assertThat(client.get(ResourceType.SERVICES, DnsService.NAME)).isEqualTo(made);
      DnsService.ensure(client, IpAddress.parse("10.0.0.10"));
      ObjectNode moved = client.get(ResourceType.SERVICES, DnsService.NAME);
      assertThat(Json.textOr(moved, "", "spec", "clusterIP")).isEqualTo("10.0.0.10");
      assertThat(Json.textOr(moved, "", "metadata", "uid"))
          .isNotEqualTo(Json.textOr(made, "", "metadata", "uid"));
    }
  }
}
