package io.fairlead.dns.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Ask;
import io.fairlead.dns.testing.SectionFive;
import io.fairlead.dns.testing.TestServer;
import io.fairlead.dns.wire.Message;
import io.fairlead.dns.wire.Rcode;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// A configuration is exchanged as a whole or not at all, and nobody who asks meanwhile notices.
class ReloadTest {
  private static final String CRANE = "crane.harbor.svc.cluster.local";

  private static String corefile(String more) {
    return ".:0 {\n  kubernetes cluster.local {\n    " + more + "\n  }\n}\n";
  }

  private static TestServer server() throws SetupException {
    return new TestServer(corefile("ttl 30"), SectionFive.cluster()::client, List.of(), List.of())
        .awaitDenial();
  }

  private static int ttl(TestServer server) {
    return Ask.udp(server.address(), CRANE, "A").answer().getFirst().ttl();
  }

  @Test
  void aGoodConfigurationTakesOverWithoutALostQuestion() throws SetupException {
    try (TestServer server = server()) {
      InetSocketAddress address = server.address();
      AtomicBoolean done = new AtomicBoolean();
      CompletableFuture<Integer> asking =
          CompletableFuture.supplyAsync(
              () -> {
                int asked = 0;
                while (!done.get()) {
                  Message reply = Ask.udp(address, CRANE, "A");
                  assertThat(reply.rcode()).isEqualTo(Rcode.NOERROR);
                  assertThat(Ask.tcp(address, CRANE, "A").answer()).hasSize(1);
                  asked++;
                }
                return asked;
              },
              Thread::startVirtualThread);
      for (int i = 0; i < 5; i++) {
        // The data is the same, so it stays; only what is said about it changes.
        server.corefile(corefile(i % 2 == 0 ? "ttl 30\n    pods insecure" : "ttl 30"));
        assertThat(server.server().reload()).isTrue();
      }
      done.set(true);
      assertThat(asking.join()).isPositive();
      assertThat(server.address()).isEqualTo(address);
      assertThat(Ask.udp(address, "10-1-2-3.harbor.pod.cluster.local", "A").answer()).hasSize(1);
    }
  }

  @Test
  void aBadConfigurationChangesNothing() throws SetupException {
    try (TestServer server = server()) {
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
    TestServer server = server();
    InetSocketAddress address = server.address();
    server.close();
    server.close();
    assertThat(server.server().stopping()).isTrue();
    assertThat(server.server().listening()).isEmpty();
    assertThat(server.server().reload()).isFalse();
    byte[] query = Ask.query(CRANE, "A", null).write(512);
    try {
      assertThat(Ask.udp(address, query, 500)).isEmpty();
    } catch (UncheckedIOException e) {
      assertThat(e.getCause()).isInstanceOf(PortUnreachableException.class);
    }
  }
}
