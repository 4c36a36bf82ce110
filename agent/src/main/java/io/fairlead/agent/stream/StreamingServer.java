package io.fairlead.agent.stream;

import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.spdy.SpdyConnection;
import io.fairlead.http.server.MessageConnection;
import io.fairlead.work.Tasks;
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
public final class StreamingServer {
  /// What is spoken inside a WebSocket, the best first; the last is for clients that name none.
  public static final List<String> EXEC_WEB_SOCKET =
      List.of(
          WebSocketChannels.V5,
          WebSocketChannels.V4,
          WebSocketChannels.V4_BASE64,
          WebSocketChannels.V1,
          WebSocketChannels.V1_BASE64,
          "");

  /// What is spoken over SPDY, the best first.
  public static final List<String> EXEC_SPDY =
      List.of(
          "v5.channel.k8s.io",
          "v4.channel.k8s.io",
          "v3.channel.k8s.io",
          "v2.channel.k8s.io",
          "channel.k8s.io");

  /// SPDY inside a WebSocket, with which ports are named later.
  public static final String FORWARD_TUNNEL = "SPDY/3.1+portforward.k8s.io";

  /// The tunnel, or channels for the ports that the request names.
  public static final List<String> FORWARD_WEB_SOCKET =
      List.of(
          FORWARD_TUNNEL,
          WebSocketChannels.V4,
          WebSocketChannels.V4_BASE64,
          "portforward.k8s.io",
          "");

  public static final List<String> FORWARD_SPDY = List.of("portforward.k8s.io");

  private static final Logger log = LoggerFactory.getLogger(StreamingServer.class);
  private static final Set<String> WITH_STATUS = Set.of("v5.channel.k8s.io", "v4.channel.k8s.io");
  private static final Set<String> WITHOUT_RESIZE = Set.of("v2.channel.k8s.io", "channel.k8s.io");

  private StreamingServer() {}

  /// Starts the program a user wants to talk to.
  public interface ProcessStarter {
    /// @throws RuntimeFailure when it cannot start
    AttachedProcess start();
  }

  /// Opens a connection inside the pod.
  public interface Dialer {
    Socket dial(int port) throws IOException;
  }

  /// The protocol to use: the best of ours that the client offers, or the empty one when it offers
  /// none.
  public static Optional<String> choose(List<String> ours, List<String> offered) {
    if (offered.isEmpty() && ours.contains("")) {
      return Optional.of("");
    }
    return ours.stream().filter(offered::contains).findFirst();
  }

  /// Exec or attach over a WebSocket, on a thread of its own.
  public static MessageConnection.Receiver exec(
      MessageConnection messages, String protocol, StreamRequest asked, ProcessStarter starter) {
    return protocol.equals(WebSocketChannels.V4_BASE64)
            || protocol.equals(WebSocketChannels.V1_BASE64)
        ? Base64Messages.over(messages, binary -> execBinary(binary, protocol, asked, starter))
        : execBinary(messages, protocol, asked, starter);
  }

  private static MessageConnection.Receiver execBinary(
      MessageConnection messages, String protocol, StreamRequest asked, ProcessStarter starter) {
    WebSocketChannels user = new WebSocketChannels(messages, protocol);
    Tasks.start(
        "exec",
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
      InputStream in,
      OutputStream out,
      String protocol,
      StreamRequest asked,
      ProcessStarter starter)
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

  private static void talk(RemoteCommandChannels user, StreamRequest asked, ProcessStarter starter)
      throws IOException {
    AttachedProcess program;
    try {
      program = starter.start();
    } catch (RuntimeFailure e) {
      user.finish(RemoteCommandStatus.failure(e.text()));
      return;
    }
    try {
      RemoteCommandSession.hold(program, user, asked);
    } catch (RuntimeFailure e) {
      user.finish(RemoteCommandStatus.failure(e.text()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Port-forward as channels of a WebSocket, on threads of its own.
  ///
  /// @param ports each gets one connection
  public static MessageConnection.Receiver portForward(
      MessageConnection messages, String protocol, Dialer dialer, String pod, List<Integer> ports) {
    return protocol.equals(WebSocketChannels.V4_BASE64)
        ? Base64Messages.over(
            messages, binary -> WebSocketPortForwarding.start(binary, dialer, pod, ports))
        : WebSocketPortForwarding.start(messages, dialer, pod, ports);
  }

  /// Port-forward by SPDY inside a WebSocket, on a thread of its own.
  public static MessageConnection.Receiver portForward(
      MessageConnection messages, Dialer dialer, String pod) {
    SpdyTunnel tunnel = new SpdyTunnel(messages);
    Tasks.start(
        "port-forward",
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
