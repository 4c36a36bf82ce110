package io.fairlead.dns.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.DnsTestClient;
import io.fairlead.dns.testing.SpecVectorCluster;
import io.fairlead.dns.testing.TestDnsServer;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Rcode;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// A configuration is exchanged as a whole or not at all, and no client that asks meanwhile
/// notices.
class ConfigurationReloadTest {
  private static final String CRANE = "crane.harbor.svc.cluster.local";

  private static String corefile(String more) {
    return ".:0 {\n  kubernetes cluster.local {\n    " + more + "\n  }\n}\n";
  }

  private static TestDnsServer server() throws SetupException {
    return new TestDnsServer(
            corefile("ttl 30"), SpecVectorCluster.cluster()::client, List.of(), List.of())
        .awaitDenial();
  }

  private static int ttl(TestDnsServer server) {
    return DnsTestClient.udp(server.address(), CRANE, "A").answer().getFirst().ttl();
  }

  @Test
  void aGoodConfigurationTakesOverWithoutALostQuestion()
      throws SetupException, InterruptedException {
    try (TestDnsServer server = server()) {
      InetSocketAddress address = server.address();
      AtomicBoolean done = new AtomicBoolean();
      Semaphore answered = new Semaphore(0);
      CompletableFuture<Void> asking =
          CompletableFuture.runAsync(
              () -> {
                while (!done.get()) {
                  DnsMessage reply = DnsTestClient.udp(address, CRANE, "A");
                  assertThat(reply.rcode()).isEqualTo(Rcode.NOERROR);
                  assertThat(DnsTestClient.tcp(address, CRANE, "A").answer()).hasSize(1);
                  answered.release();
                }
              },
              Thread::startVirtualThread);
      for (int i = 0; i < 5; i++) {
        assertThat(answered.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
        // The data is the same, so it stays; only what is said about it changes.
        server.corefile(corefile(i % 2 == 0 ? "ttl 30\n    pods insecure" : "ttl 30"));
        assertThat(server.server().reload()).isTrue();
      }
      done.set(true);
      asking.join();
      assertThat(server.address()).isEqualTo(address);
      assertThat(DnsTestClient.udp(address, "10-1-2-3.harbor.pod.cluster.local", "A").answer())
          .hasSize(1);
    }
  }

  @Test
  void aBadConfigurationChangesNothing() throws SetupException {
    try (TestDnsServer server = server()) {
      for (String bad :
          List.of(
              corefile("ttl never"),
              ".:0 {\n  nosuch\n}\n",
              ".:0 {",
              ".:0 {\n  kubernetes arpa.in-addr.arpa\n}\n")) {
        server.corefile(bad);
        assertThat(server.server().reload()).as(bad).isFalse();
        assertThat(ttl(server)).isEqualTo(30);
      }
    }
  }

  @Test
  void afterTheEndNobodyListens() throws SetupException {
    TestDnsServer server = server();
    InetSocketAddress address = server.address();
    server.close();
    server.close();
    assertThat(server.server().stopping()).isTrue();
    assertThat(server.server().listening()).isEmpty();
    assertThat(server.server().reload()).isFalse();
    byte[] query = DnsTestClient.query(CRANE, "A", null).write(512);
    try {
      assertThat(DnsTestClient.udp(address, query, 500)).isEmpty();
    } catch (UncheckedIOException e) {
      assertThat(e.getCause()).isInstanceOf(PortUnreachableException.class);
    }
  }
}
