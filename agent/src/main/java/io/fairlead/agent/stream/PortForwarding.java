package io.fairlead.agent.stream;

import io.fairlead.agent.pipe.HalfCloseStreams;
import io.fairlead.agent.pipe.Pump;
import io.fairlead.agent.spdy.SpdyConnection;
import io.fairlead.agent.spdy.SpdyStream;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Connections of a user to ports of a pod, all over one SPDY connection: for each a pair of
/// streams with the same `requestid`, one for its bytes and one for what went wrong.
final class PortForwarding {
  /// So many halves of pairs may wait for the other half.
  private static final int MOST_WAITING = 1000;

  private record Pair(SpdyStream error, SpdyStream data) {}

  private final SpdyConnection connection;
  private final StreamingServer.Dialer dialer;
  private final String pod;
  // Of the reader's thread.
  private final Map<String, SpdyStream> waiting = new HashMap<>();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  PortForwarding(SpdyConnection connection, StreamingServer.Dialer dialer, String pod) {
    this.connection = connection;
    this.dialer = dialer;
    this.pod = pod;
  }

  /// Serves until the user is gone; no connection is left then.
  void serve() throws IOException {
    try (connection) {
      connection.serve(this::opened);
    } finally {
      sockets.forEach(PortForwarding::closeQuietly);
    }
  }

  private void opened(SpdyStream stream) {
    String type = stream.header("streamtype");
    String id = stream.header("requestid");
    SpdyStream other = waiting.remove(id);
    if (other == null && waiting.size() < MOST_WAITING) {
      waiting.put(id, stream);
      return;
    }
    if (other == null || other.header("streamtype").equals(type)) {
      Tasks.start("port-forward " + id, () -> fail(stream, "no pair of streams for request " + id));
      return;
    }
    Pair pair = type.equals("data") ? new Pair(other, stream) : new Pair(stream, other);
    Tasks.start("port-forward " + id, () -> forward(pair));
  }

  private void forward(Pair pair) {
    String port = pair.data().header("port");
    int number = port.matches("[0-9]{1,5}") ? Integer.parseInt(port) : 0;
    if (number < 1 || number > 0xffff) {
      refuse(pair, "not a port: " + port);
      return;
    }
    Socket socket;
    try {
      socket = dialer.dial(number);
    } catch (IOException | RuntimeException e) {
      refuse(
          pair,
          "error forwarding port "
              + port
              + " to pod "
              + pod
              + ": "
              + String.valueOf(e.getMessage()));
      return;
    }
    sockets.add(socket);
    try (socket) {
      Pump there = Pump.start("to pod", pair.data().input(), HalfCloseStreams.output(socket));
      Pump back = Pump.start("from pod", HalfCloseStreams.input(socket), pair.data().output());
      back.join();
      there.join();
      pair.error().output().close();
    } catch (IOException _) {
      // The user is gone.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      sockets.remove(socket);
    }
  }

  private static void refuse(Pair pair, String why) {
    fail(pair.error(), why);
    try {
      pair.data().input().close();
      pair.data().output().close();
    } catch (IOException _) {
      // The user is gone.
    }
  }

  private static void fail(SpdyStream stream, String why) {
    try (OutputStream out = stream.output()) {
      out.write(why.getBytes(StandardCharsets.UTF_8));
    } catch (IOException _) {
      // The user is gone.
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // Nothing more can be done with it.
    }
  }
}
