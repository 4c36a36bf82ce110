package io.fairlead.dns.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.client.Client;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import io.fairlead.dns.testing.DnsTestClient;
import io.fairlead.dns.testing.DnsTestCluster;
import io.fairlead.dns.testing.TestDnsServer;
import io.fairlead.dns.wire.Rcode;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The API server is away: at the start, later, and for too long.
class OutageTest {
  private final DnsTestCluster cluster = new DnsTestCluster();
  private final AtomicBoolean away = new AtomicBoolean();
  @TempDir private Path directory;

  /// A connection that finds no server while the server is away.
  private Client client() {
    Client real = cluster.client();
    return new Client(
        new Transport() {
          @Override
          public ApiResponse send(ApiRequest request) {
            check();
            return real.raw(request);
          }

          @Override
          public LineStream stream(ApiRequest request) {
            check();
            return cluster.api().stream(request);
          }

          private void check() {
            if (away.get()) {
              throw new ConnectionException("nobody there");
            }
          }

          @Override
          public void close() {}
        });
  }

  private void fill() {
    cluster.namespace("harbor");
    cluster.service("harbor/crane", "10.96.14.7 fd00:96::7", "web/TCP/80");
    cluster.slice(
        "harbor/crane-1", "crane", "IPv4", "web/TCP/8080", "10.244.3.11 zone=a", "10.244.3.12");
    cluster.service("harbor/fleet", "None", "");
    cluster.slice("harbor/fleet-1", "fleet", "IPv4", "", "10.244.5.21 host=fleet-0");
    cluster.slice("harbor/fleet-2", "fleet", "IPv6", "", "fd00::21 host=fleet-0");
    cluster.externalName("harbor/outside", "db.example.net");
    cluster.pod("harbor/solo", "10.244.3.99");
  }

  private TestDnsServer server(String options) throws Exception {
    String corefile =
        """
        .:0 {
          kubernetes cluster.local in-addr.arpa {
            pods verified
            zonal
            %s
          }
        }
        """;
    return new TestDnsServer(
        corefile.formatted(options), this::client, List.of("10.244.0.5"), List.of());
  }

  private static List<String> answers(TestDnsServer server, String name, String type)
      throws Exception {
    return DnsTestClient.udp(server.address(), name, type).answer().stream()
        .map(each -> each.data().toString())
        .sorted()
        .toList();
  }

  private static void knows(TestDnsServer server) throws Exception {
    assertThat(answers(server, "crane.harbor.svc.cluster.local", "A"))
        .containsExactly("10.96.14.7");
    assertThat(answers(server, "crane.harbor.svc.cluster.local", "AAAA"))
        .containsExactly("fd00:96::7");
    assertThat(answers(server, "_web._tcp.crane.harbor.svc.cluster.local", "SRV"))
        .containsExactly("0 50 80 crane.harbor.svc.cluster.local.");
    assertThat(answers(server, "fleet-0.fleet.harbor.svc.cluster.local", "A"))
        .containsExactly("10.244.5.21");
    assertThat(answers(server, "fleet.harbor.svc.cluster.local", "AAAA"))
        .containsExactly("fd00::21");
    assertThat(answers(server, "a.pin._zone.crane.harbor.svc.cluster.local", "A")).isEmpty();
    assertThat(answers(server, "outside.harbor.svc.cluster.local", "CNAME"))
        .containsExactly("db.example.net.");
    assertThat(answers(server, "10-244-3-99.harbor.pod.cluster.local", "A"))
        .containsExactly("10.244.3.99");
    assertThat(answers(server, "12.3.244.10.in-addr.arpa", "PTR"))
        .containsExactly("10-244-3-12.crane.harbor.svc.cluster.local.");
  }

  @Test
  void aSnapshotAnswersUntilTheApiComes() throws Exception {
    fill();
    Path file = directory.resolve("snapshot");
    try (TestDnsServer server = server("snapshot " + file)) {
      server.awaitDenial();
      knows(server);
    }
    assertThat(file).exists();
    away.set(true);
    try (TestDnsServer server = server("snapshot " + file)) {
      server.awaitCluster("crane.harbor.svc.cluster.local");
      await().atMost(TestDnsServer.PATIENCE).untilAsserted(() -> knows(server));
      assertThat(
              DnsTestClient.udp(server.address(), "nosuch.harbor.svc.cluster.local", "A").rcode())
          .as("what the snapshot does not hold may be there all the same")
          .isEqualTo(Rcode.SERVFAIL);
      cluster.delete(DnsTestCluster.SERVICES, "harbor/crane");
      away.set(false);
      await()
          .atMost(TestDnsServer.PATIENCE)
          .until(
              () ->
                  DnsTestClient.udp(server.address(), "crane.harbor.svc.cluster.local", "A").rcode()
                      == Rcode.NXDOMAIN);
      assertThat(answers(server, "fleet.harbor.svc.cluster.local", "A"))
          .containsExactly("10.244.5.21");
    }
  }

  @Test
  void aDamagedSnapshotIsReadAsFarAsItGoes() throws Exception {
    Path file = directory.resolve("snapshot");
    Files.writeString(
        file,
        """
        {"kind":"Namespace","metadata":{"name":"harbor"}}
        {"kind":"Service","metadata":{"name":"crane","namespace":"harbor"},"spec":{"clusterIPs":["10.96.14.7"]}}
        {"kind":"Serv
        """);
    away.set(true);
    try (TestDnsServer server = server("snapshot " + file)) {
      server.awaitCluster("crane.harbor.svc.cluster.local");
    }
  }

  @Test
  void stalenessEndsReadinessAndNothingElse() throws Exception {
    fill();
    int health = freePort();
    int ready = freePort();
    String corefile =
        """
        .:0 {
          health 127.0.0.1:%d
          ready 127.0.0.1:%d
          kubernetes cluster.local {
            max_staleness 100ms
          }
        }
        """
            .formatted(health, ready);
    try (TestDnsServer server =
        new TestDnsServer(corefile, this::client, List.of("10.244.0.5"), List.of())) {
      server.awaitDenial();
      await().atMost(TestDnsServer.PATIENCE).until(() -> code(ready, "/ready") == 200);
      assertThat(body(health, "/health/detail")).contains("kubernetes: follows the API server");
      away.set(true);
      cluster.api().endWatches();
      await().atMost(TestDnsServer.PATIENCE).until(() -> code(ready, "/ready") == 503);
      assertThat(body(health, "/health/detail")).contains("the API server is away");
      assertThat(code(health, "/health")).isEqualTo(200);
      assertThat(answers(server, "crane.harbor.svc.cluster.local", "A"))
          .containsExactly("10.96.14.7");
      away.set(false);
      await().atMost(TestDnsServer.PATIENCE).until(() -> code(ready, "/ready") == 200);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static HttpURLConnection open(int port, String path) throws IOException {
    return (HttpURLConnection)
        URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
  }

  private static int code(int port, String path) throws IOException {
    return open(port, path).getResponseCode();
  }

  private static String body(int port, String path) throws IOException {
    return new String(open(port, path).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
