package io.fairlead.app.controllers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Provokes;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.controller.Controllers;
import io.fairlead.controller.EndpointOptions;
import io.fairlead.controller.NodeOptions;
import io.fairlead.controller.loadbalancer.LoadBalancerOptions;
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
    TimingSources pacing =
        new TimingSources(
            now::get, time -> now.addAndGet(time.toNanos()), RandomGenerator.getDefault());
    return new ControllersOptions(
        ClientConfig.of(
            URI.create("http://127.0.0.1:" + port),
            new Trust.SystemRoots(),
            new ClientIdentity.Token("wrong")),
        new Controllers.Options(
            ControllerList.STANDARD,
            Optional.empty(),
            EndpointOptions.STANDARD,
            "",
            Duration.ZERO,
            NodeOptions.STANDARD,
            LoadBalancerOptions.STANDARD,
            InstantSource.system(),
            pacing),
        false,
        new ControllersOptions.SecureServing(
            "127.0.0.1", 0, Optional.empty(), Optional.empty(), Optional.empty()));
  }

  private static FairleadException refused(int port) {
    return catchThrowableOfType(
        FairleadException.class, () -> ControllersProcess.start(options(port)).close());
  }

  @Test
  @Provokes(ErrorCode.FL215)
  void aServerThatDoesNotAnswerIsNamed() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    FairleadException problem = refused(port);
    assertThat(problem.code()).isEqualTo(ErrorCode.FL215);
    assertThat(problem.values().getFirst()).isEqualTo("http://127.0.0.1:" + port);
  }

  @Test
  @Provokes(ErrorCode.FL216)
  void aServerThatDoesNotLetUsInIsNotAskedAgain() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> refuse(socket));
      FairleadException problem = refused(socket.getLocalPort());
      assertThat(problem.code()).isEqualTo(ErrorCode.FL216);
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
