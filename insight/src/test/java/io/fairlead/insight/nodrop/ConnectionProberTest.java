package io.fairlead.insight.nodrop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.insight.nodrop.ConnectionLoss.How;
import io.fairlead.work.LoopFaults;
import io.fairlead.work.Tasks;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The prober against servers of this process on loopback.
class ConnectionProberTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private ServerSocket server;
  private final List<Socket> accepted = new CopyOnWriteArrayList<>();
  private final AtomicInteger answered = new AtomicInteger();

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    Tasks.start(
        "test-server",
        () -> {
          try {
            while (true) {
              Socket socket = server.accept();
              accepted.add(socket);
              Tasks.start("test-connection", () -> answer(socket));
            }
          } catch (SocketException _) {
            // The test is over.
          }
        });
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    for (Socket socket : accepted) {
      socket.close();
    }
  }

  /// Answers each request as long as the connection lasts.
  private void answer(Socket socket) {
    try {
      answerEach(socket);
    } catch (IOException _) {
      // Closed by either end, as the test wants.
    }
  }

  private void answerEach(Socket socket) throws IOException {
    byte[] bytes = new byte[4096];
    int count = socket.getInputStream().read(bytes);
    while (count > 0) {
      answered.incrementAndGet();
      socket
          .getOutputStream()
          .write(
              "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII));
      if (new String(bytes, 0, count, StandardCharsets.US_ASCII).contains("Connection: close")) {
        socket.close();
        return;
      }
      count = socket.getInputStream().read(bytes);
    }
  }

  private ConnectionProber prober(Optional<String> http, int kept) {
    return new ConnectionProber(
        new ConnectionProber.Plan(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()),
            http,
            "here",
            100,
            kept,
            PATIENCE),
        (_, _) -> Optional.of("10.244.1.7:9376"),
        InstantSource.system(),
        Ticker.system());
  }

  @Test
  void whatIsAnsweredIsCounted() throws Exception {
    ConnectionProber prober = prober(Optional.empty(), 2);
    prober.start();
    prober.awaitKept();
    await().atMost(PATIENCE).until(() -> accepted.size() >= 12);
    ConnectionProber.Outcome outcome = prober.finish();
    assertThat(outcome.losses()).isEmpty();
    assertThat(outcome.tally().ok()).isEqualTo(outcome.tally().opened()).isGreaterThanOrEqualTo(10);
    assertThat(outcome.longLived()).isEqualTo(new NoDropReport.LongLived(2, 0, 0));
  }

  @Test
  void theLoopGoesOnAfterAFault() throws Exception {
    ConnectionProber prober = prober(Optional.empty(), 1);
    prober.start();
    await().atMost(PATIENCE).until(() -> accepted.size() >= 2);
    assertThat(LoopFaults.failOnce("nodrop-prober")).isPositive();
    int before = accepted.size();
    await().atMost(PATIENCE).until(() -> accepted.size() >= before + 10);
    ConnectionProber.Outcome outcome = prober.finish();
    assertThat(outcome.losses()).isEmpty();
    assertThat(outcome.tally().ok()).isEqualTo(outcome.tally().opened());
  }

  @Test
  void wholeAnswersAreWanted() throws Exception {
    ConnectionProber prober = prober(Optional.of("/"), 1);
    prober.start();
    await().atMost(PATIENCE).until(() -> answered.get() >= 12);
    ConnectionProber.Outcome outcome = prober.finish();
    assertThat(outcome.losses()).isEmpty();
    assertThat(outcome.tally().ok()).isEqualTo(outcome.tally().opened());
    assertThat(outcome.longLived()).isEqualTo(new NoDropReport.LongLived(1, 0, 0));
  }

  @Test
  void aServerThatIsGoneRefuses() throws Exception {
    server.close();
    ConnectionProber prober = prober(Optional.empty(), 1);
    prober.start();
    prober.awaitKept();
    ConnectionProber.Outcome outcome = prober.finish();
    assertThat(outcome.tally().ok()).isZero();
    assertThat(outcome.longLived()).isEqualTo(new NoDropReport.LongLived(1, 0, 1));
    assertThat(outcome.losses())
        .isNotEmpty()
        .allSatisfy(
            loss -> {
              assertThat(loss.how()).isEqualTo(How.REFUSED);
              assertThat(loss.endpoint()).isEqualTo("10.244.1.7:9376");
              assertThat(loss.place()).isEqualTo("here");
              assertThat(loss.localPort()).isPositive();
              assertThat(loss.established()).isFalse();
            });
  }

  @Test
  void anEndWhenNothingWasAskedIsClean() throws Exception {
    ConnectionProber prober = prober(Optional.empty(), 1);
    prober.start();
    prober.awaitKept();
    await().atMost(PATIENCE).until(() -> !accepted.isEmpty());
    for (Socket socket : accepted) {
      socket.close();
    }
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              // Whichever of them is the one that is kept.
              for (Socket socket : accepted) {
                socket.close();
              }
              return accepted.size() >= 12;
            });
    ConnectionProber.Outcome outcome = prober.finish();
    assertThat(outcome.longLived()).isEqualTo(new NoDropReport.LongLived(1, 1, 0));
    assertThat(outcome.losses()).isEmpty();
  }

  @Test
  void aResetIsALoss() throws Exception {
    ConnectionProber prober = prober(Optional.empty(), 1);
    prober.start();
    prober.awaitKept();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              for (Socket socket : accepted) {
                if (!socket.isClosed()) {
                  socket.setSoLinger(true, 0);
                  socket.close();
                }
              }
              return accepted.size() >= 12;
            });
    ConnectionProber.Outcome outcome = prober.finish();
    assertThat(outcome.longLived()).isEqualTo(new NoDropReport.LongLived(1, 0, 1));
    assertThat(outcome.losses())
        .singleElement()
        .satisfies(
            loss -> {
              assertThat(loss.how()).isEqualTo(How.RESET);
              assertThat(loss.established()).isTrue();
            });
  }
}
