package io.fairlead.agent.stream;

import io.fairlead.agent.runtime.Attached;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.spdy.SpdyConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves exec, attach and port-forward over whatever the client speaks.
public final class Streams {
  /// What is spoken inside a WebSocket, the best first.
  public static final List<String> EXEC_WEB_SOCKET =
      List.of(WebSocketChannels.V5, WebSocketChannels.V4);

  /// What is spoken over SPDY, the best first.
  public static final List<String> EXEC_SPDY =
      List.of(
          "v5.channel.k8s.io",
          "v4.channel.k8s.io",
          "v3.channel.k8s.io",
          "v2.channel.k8s.io",
          "channel.k8s.io");

  public static final List<String> FORWARD_WEB_SOCKET = List.of("SPDY/3.1+portforward.k8s.io");
  public static final List<String> FORWARD_SPDY = List.of("portforward.k8s.io");

  private static final Logger log = LoggerFactory.getLogger(Streams.class);
  private static final Set<String> WITH_STATUS = Set.of("v5.channel.k8s.io", "v4.channel.k8s.io");
  private static final Set<String> WITHOUT_RESIZE = Set.of("v2.channel.k8s.io", "channel.k8s.io");

  private Streams() {}

  /// Starts the program a user wants to talk to.
  public interface Starter {
    /// @throws RuntimeFailure when it cannot start
    Attached start();
  }

  /// Opens a connection inside the pod.
  public interface Dialer {
    Socket dial(int port) throws IOException;
  }

  /// The protocol to use: the best of ours that the client offers.
  public static Optional<String> choose(List<String> ours, List<String> offered) {
    return ours.stream().filter(offered::contains).findFirst();
  }

  /// Exec or attach over a WebSocket, on a thread of its own.
  public static Messages.Receiver exec(
      Messages messages, String protocol, StreamRequest asked, Starter starter) {
    WebSocketChannels user = new WebSocketChannels(messages, protocol);
    Thread.ofVirtual()
        .name("exec")
        .start(
            () -> {
              try {
                talk(user, asked, starter);
              } catch (IOException e) {
                log.atDebug().setCause(e).log("a user has left a conversation");
              } finally {
                messages.close();
              }
            });
    return user;
  }

  /// Exec or attach over SPDY, to the end of the connection.
  public static void exec(
      InputStream in, OutputStream out, String protocol, StreamRequest asked, Starter starter)
      throws IOException, InterruptedException {
    SpdyConnection connection = new SpdyConnection(in, out);
    SpdyChannels user =
        new SpdyChannels(
            connection,
            asked.types(!WITHOUT_RESIZE.contains(protocol)),
            !WITH_STATUS.contains(protocol));
    try {
      user.await();
      talk(user, asked, starter);
      user.close();
    } catch (TimeoutException e) {
      log.atInfo().addKeyValue("why", e.getMessage()).log("a client was given up");
    } finally {
      connection.close();
    }
  }

  private static void talk(Channels user, StreamRequest asked, Starter starter) throws IOException {
    Attached program;
    try {
      program = starter.start();
    } catch (RuntimeFailure e) {
      user.finish(Endings.failure(e.text()));
      return;
    }
    try {
      Conversation.hold(program, user, asked);
    } catch (RuntimeFailure e) {
      user.finish(Endings.failure(e.text()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Port-forward inside a WebSocket, on a thread of its own.
  public static Messages.Receiver portForward(Messages messages, Dialer dialer, String pod) {
    Tunnel tunnel = new Tunnel(messages);
    Thread.ofVirtual()
        .name("port-forward")
        .start(
            () -> {
              try {
                portForward(tunnel.input(), tunnel.output(), dialer, pod);
              } catch (IOException e) {
                log.atDebug().setCause(e).log("a user has left a port-forward");
              } finally {
                messages.close();
              }
            });
    return tunnel;
  }

  /// Port-forward over SPDY, to the end of the connection.
  public static void portForward(InputStream in, OutputStream out, Dialer dialer, String pod)
      throws IOException {
    new PortForwarding(new SpdyConnection(in, out), dialer, pod).serve();
  }
}
