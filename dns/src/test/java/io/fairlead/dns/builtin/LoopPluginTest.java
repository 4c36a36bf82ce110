package io.fairlead.dns.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.testing.DnsTestClient;
import io.fairlead.dns.testing.DnsTestCluster;
import io.fairlead.dns.testing.SpecVectorCluster;
import io.fairlead.dns.testing.TestDnsServer;
import io.fairlead.dns.testing.TestUpstream;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Rcode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Whole servers on loopback.
class LoopPluginTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static TestDnsServer server(int port, int status, String target) throws Exception {
    DnsTestCluster cluster = SpecVectorCluster.cluster();
    String corefile =
        ".:"
            + port
            + " {\nbind 127.0.0.1\nready 127.0.0.1:"
            + status
            + "\nkubernetes cluster.local {\n}\nforward . "
            + target
            + "\nloop\n}\n";
    return new TestDnsServer(corefile, cluster::client, List.of("10.244.0.5"), List.of())
        .awaitCluster("crane.harbor.svc.cluster.local");
  }

  private static int ready(int status) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + status + "/ready")).build();
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  @Test
  void vector115ClusterNamesAreAnsweredOthersFailAndReadySaysSo() throws Exception {
    int port = freePort();
    int status = freePort();
    try (TestDnsServer server = server(port, status, "127.0.0.1:" + port)) {
      InetSocketAddress address = server.address();
      await().atMost(PATIENCE).until(() -> ready(status) == 503);
      DnsMessage ours = DnsTestClient.udp(address, "crane.harbor.svc.cluster.local", "A");
      assertThat(ours.rcode()).isZero();
      assertThat(ours.answer()).hasSize(1);
      assertThat(DnsTestClient.udp(address, "db.example.net", "A").rcode())
          .isEqualTo(Rcode.SERVFAIL);
    }
  }

  @Test
  void anHonestUpstreamIsNoLoop() throws Exception {
    int port = freePort();
    int status = freePort();
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server = server(port, status, upstream.target())) {
      await().atMost(PATIENCE).until(() -> upstream.udpQueries.get() >= 1);
      assertThat(DnsTestClient.udp(server.address(), "db.example.net", "A").rcode()).isZero();
      assertThat(ready(status)).isEqualTo(200);
    }
  }
}
