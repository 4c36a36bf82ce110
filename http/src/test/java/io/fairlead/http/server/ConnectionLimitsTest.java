package io.fairlead.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.work.LoopFaults;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clients that hold connections without asking for anything.
class ConnectionLimitsTest {
  private static final ConnectionLimits.Options SHORT =
      new ConnectionLimits.Options(
          Duration.ofMillis(600), 3, Duration.ofMillis(100), Duration.ofMillis(20));
  private static final String REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n";

  /// What strangers send as credentials. A server that lets everybody read its version answers the
  /// last one with 200.
  private static final List<String> STRANGE =
      List.of("", "Authorization: Bearer bad\r\n", "Authorization: Basic eDp5\r\n");

  private static final String KNOWN = REQUEST + "Authorization: Bearer good\r\n\r\n";

  private HttpServer server;
  private final List<Socket> sockets = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.of(HttpServerOptions.forApi("127.0.0.1", 0, Optional.empty()), SHORT);
    server.start(
        exchange -> {
          String token = exchange.header("Authorization");
          if ("Bearer good".equals(token)) {
            exchange.setAuthenticated();
          }
          exchange.setStatus("Bearer bad".equals(token) ? 401 : 200);
          exchange.setHeader("Content-Length", "2");
          exchange.output().write("ok".getBytes(StandardCharsets.UTF_8));
        });
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    server.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket("127.0.0.1", server.port());
    socket.setSoTimeout(20_000);
    sockets.add(socket);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /// Reads up to the body.
  private static String answer(Socket socket) throws IOException {
    StringBuilder text = new StringBuilder();
    while (!text.toString().endsWith("\r\n\r\nok")) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        return text + "(closed)";
      }
      text.append((char) next);
    }
    return text.toString();
  }

  /// Sends a byte of headers now and then until the server has closed the connection.
  private static void trickleUntilClosed(Socket socket) {
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              try {
                send(socket, "X");
                send(socket, "X");
                socket.setSoTimeout(10);
                return socket.getInputStream().read() < 0;
              } catch (java.net.SocketTimeoutException e) {
                return false;
              } catch (IOException e) {
                return true;
              }
            });
  }

  @Test
  void headersThatTrickleInAreCutOff() throws IOException {
    Socket socket = connect();
    send(socket, REQUEST);
    trickleUntilClosed(socket);
  }

  @Test
  void headersOfALaterRequestThatTrickleInAreCutOff() throws IOException {
    Socket socket = connect();
    send(socket, KNOWN);
    assertThat(answer(socket)).startsWith("HTTP/1.1 200");
    send(socket, REQUEST);
    trickleUntilClosed(socket);
  }

  @Test
  void aConnectionWithoutAnyRequestIsClosed() throws IOException {
    assertThat(connect().getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void manyQuietConnectionsOfASourceLeaveRoomForThoseWhoAreKnown() throws IOException {
    Socket known = connect();
    send(known, KNOWN);
    assertThat(answer(known)).startsWith("HTTP/1.1 200");
    List<Socket> strangers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Socket stranger = connect();
      send(stranger, REQUEST + STRANGE.get(i % STRANGE.size()) + "\r\n");
      assertThat(answer(stranger)).startsWith("HTTP/1.1 ");
      strangers.add(stranger);
    }
    for (Socket oldest : strangers.subList(0, 3)) {
      assertThat(oldest.getInputStream().read()).isEqualTo(-1);
    }
    for (Socket other : List.of(known, strangers.get(5))) {
      send(other, KNOWN);
      assertThat(answer(other)).startsWith("HTTP/1.1 200");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "an IPv4 address is a source, 192.0.2.1, 192.0.2.2, false",
    "an IPv6 network is one source, 2001:db8:0:1::1, 2001:db8:0:1:ffff::9, true",
    "two IPv6 networks are two, 2001:db8:0:1::1, 2001:db8:0:2::1, false",
    "a mapped address is an IPv4 address, ::ffff:192.0.2.1, 192.0.2.1, true"
  })
  void aSourceIsWhatOneHostCanUse(String name, String one, String other, boolean same) {
    assertThat(
            ConnectionLimits.source(address(one)).equals(ConnectionLimits.source(address(other))))
        .as(name)
        .isEqualTo(same);
  }

  private static InetSocketAddress address(String literal) {
    return new InetSocketAddress(InetAddress.ofLiteral(literal), 1);
  }

  @Test
  void theCheckGoesOnAfterAFailedStep() throws IOException {
    assertThat(LoopFaults.failOnce(ConnectionLimits.LOOP)).isPositive();
    assertThat(connect().getInputStream().read()).isEqualTo(-1);
  }
}
