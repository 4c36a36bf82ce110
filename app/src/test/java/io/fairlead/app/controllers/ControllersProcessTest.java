package io.fairlead.app.controllers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.cli.Provokes;
import io.fairlead.client.Connection;
import io.fairlead.client.informer.Pacing;
import io.fairlead.client.tls.Identity;
import io.fairlead.client.tls.Trust;
import io.fairlead.controller.Controllers;
import io.fairlead.controller.EndpointOptions;
import io.fairlead.controller.NodeOptions;
import io.fairlead.controller.runtime.ControllerList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ControllersProcessTest {
  /// Waiting takes no time here.
  private static ControllersOptions options(int port) {
    AtomicLong now = new AtomicLong();
    Pacing pacing =
        new Pacing(now::get, time -> now.addAndGet(time.toNanos()), RandomGenerator.getDefault());
    return new ControllersOptions(
        Connection.of(
            URI.create("http://127.0.0.1:" + port),
            new Trust.SystemRoots(),
            new Identity.Token("wrong")),
        new Controllers.Options(
            ControllerList.STANDARD,
            Optional.empty(),
            EndpointOptions.STANDARD,
            "",
            Duration.ZERO,
            NodeOptions.STANDARD,
            InstantSource.system(),
            pacing),
        new ControllersOptions.Door(
            "127.0.0.1", 0, Optional.empty(), Optional.empty(), Optional.empty()));
  }

  private static Problem refused(int port) {
    return catchThrowableOfType(
        Problem.class, () -> ControllersProcess.start(options(port)).close());
  }

  @Test
  @Provokes(Code.FL215)
  void aServerThatDoesNotAnswerIsNamed() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Problem problem = refused(port);
    assertThat(problem.code()).isEqualTo(Code.FL215);
    assertThat(problem.values().getFirst()).isEqualTo("http://127.0.0.1:" + port);
  }

  @Test
  @Provokes(Code.FL216)
  void aServerThatDoesNotLetUsInIsNotAskedAgain() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> refuse(socket));
      Problem problem = refused(socket.getLocalPort());
      assertThat(problem.code()).isEqualTo(Code.FL216);
      assertThat(problem.values().getLast()).isEqualTo("Unauthorized");
    }
  }

  private static void refuse(ServerSocket socket) {
    String body = "{\"kind\":\"Status\",\"code\":401,\"message\":\"Unauthorized\"}";
    try {
      while (true) {
        try (Socket client = socket.accept()) {
          byte[] _ = client.getInputStream().readNBytes(1);
          client
              .getOutputStream()
              .write(
                  ("HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\n"
                          + "Connection: close\r\nContent-Length: "
                          + body.length()
                          + "\r\n\r\n"
                          + body)
                      .getBytes(US_ASCII));
          client.shutdownOutput();
          byte[] _ = client.getInputStream().readAllBytes();
        }
      }
    } catch (SocketException _) {
      // Closed at the end of the test.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
