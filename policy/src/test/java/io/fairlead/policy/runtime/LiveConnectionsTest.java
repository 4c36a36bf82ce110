package io.fairlead.policy.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.policy.nftables.PolicyLab;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What becomes of TCP connections that are open when policies change. The server sends all the
/// time, and its own egress is open: the end that goes on by itself must not keep a denied
/// connection alive.
@Tag("system")
class LiveConnectionsTest extends LiveDaemonFixture {
  private static final String Y_C = "10.244.2.23";
  private static final int PORT = 7000;
  private static final int MANY = 50;
  private static final long PACE_NANOS = 10_000_000;

  private final AtomicLong received = new AtomicLong();
  private ServerSocket server;
  private Socket connection = new Socket();

  @BeforeEach
  void serve() throws IOException {
    server = lab.at(IpAddress.parse(X_A)).call(() -> new ServerSocket(PORT, 8));
    Thread.ofPlatform().daemon().name("server").start(this::sendAllTheTime);
  }

  @AfterEach
  void hangUp() throws IOException {
    connection.close();
    server.close();
  }

  private void sendAllTheTime() {
    try (Socket client = server.accept()) {
      while (true) {
        client.getOutputStream().write(new byte[100]);
        LockSupport.parkNanos(PACE_NANOS);
      }
    } catch (IOException _) {
      return;
    }
  }

  private void connect(String from) throws IOException {
    connection =
        lab.at(IpAddress.parse(from))
            .call(
                () -> {
                  Socket made = new Socket();
                  made.bind(new InetSocketAddress(from, 0));
                  made.connect(new InetSocketAddress(X_A, PORT), (int) LIMIT.toMillis());
                  return made;
                });
    Thread.ofPlatform().daemon().name("client").start(this::count);
    flows();
  }

  private void count() {
    try {
      while (connection.getInputStream().read() >= 0) {
        received.incrementAndGet();
      }
    } catch (IOException _) {
      return;
    }
  }

  /// Waits until more has come.
  private void flows() {
    long before = received.get();
    await().atMost(LIMIT).until(() -> received.get() > before + MANY);
  }

  /// Waits until a sweep has labelled a connection and nothing comes any more.
  private void stops() {
    await().atMost(LIMIT).until(() -> cut() > 0);
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              long before = received.get();
              // Others do not notice; meanwhile the server would have sent a hundred times.
              for (int i = 0; i < MANY; i++) {
                LockSupport.parkNanos(2 * PACE_NANOS);
              }
              return received.get() == before && reaches("10.244.1.22", "10.244.1.31", 80);
            });
  }

  private long cut() {
    return get("/metrics")
        .lines()
        .filter(line -> line.startsWith("fairlead_policy_cut_connections_total "))
        .mapToLong(line -> (long) Double.parseDouble(line.split(" ")[1]))
        .sum();
  }

  private void delete(String policy) {
    client.delete(PolicyInformers.POLICIES, new ObjectKey("x", policy), DeleteOptions.DEFAULT);
  }

  @Test
  void pv79ToPv81AnOpenConnectionStopsAndGoesOnWhenItMayAgain() throws IOException {
    connect(X_B);
    policy("deny", "{podSelector: {}}");
    stops();
    delete("deny");
    flows();
  }

  @Test
  void pv82AConnectionThatStaysAllowedIsNotTouched() throws IOException {
    String fromY =
        "{podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {ns: 'y'}}}]%s}]}";
    policy("web", fromY.formatted(""));
    awaitReach("10.244.1.31", X_A, false);
    connect(Y_A);
    policy("narrow", fromY.formatted(", ports: [{port: " + PORT + "}]"));
    delete("web");
    awaitReach(Y_A, X_A, false);
    flows();
    assertThat(cut()).isZero();
  }

  /// While there was no policy the pods of other nodes were not followed: a policy that lets one in
  /// waits until it is known.
  @Test
  void theFirstPolicyLeavesAConnectionFromAPodOfAnotherNode() throws IOException {
    connect(Y_C);
    policy(
        "web",
        "{podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {ns: 'y'}}}]}]}");
    awaitReach("10.244.1.31", X_A, false);
    assertThat(reaches(Y_C, X_A, 80)).isTrue();
    flows();
    assertThat(cut()).isZero();
  }

  @Test
  void pv83WithKeepAnOpenConnectionGoesOn() throws IOException {
    daemon.close();
    daemon =
        launch(
            new PolicyOptions(
                "node1",
                List.of(),
                List.of(),
                true,
                true,
                false,
                false,
                241,
                121,
                Optional.of(new InetSocketAddress("127.0.0.1", 0)),
                PolicyOptions.Extras.NONE));
    connect(X_B);
    policy("deny", "{podSelector: {}}");
    awaitReach(Y_A, X_A, false);
    flows();
    assertThat(cut()).isZero();
  }

  @Test
  void pf7ConnectionsLiveThroughAFlushOfTheKernelsEntriesAndCutOnesStayCut() throws IOException {
    connect(Y_A);
    policy("deny", "{podSelector: {}}");
    stops();
    // The server goes on, its egress is open and so is the client: the entry that it makes then is
    // found.
    PolicyLab.run(lab.node(), "conntrack -F");
    stops();
    delete("deny");
    flows();
    PolicyLab.run(lab.node(), "conntrack -F");
    flows();
  }
}
