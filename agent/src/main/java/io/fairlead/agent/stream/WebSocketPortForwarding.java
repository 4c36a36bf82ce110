package io.fairlead.agent.stream;

import io.fairlead.agent.pipe.BlockOutput;
import io.fairlead.agent.pipe.BoundedPipe;
import io.fairlead.agent.pipe.HalfCloseStreams;
import io.fairlead.agent.pipe.Pump;
import io.fairlead.http.server.MessageConnection;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One connection of a user to each of some ports of a pod, as channels of a WebSocket: port number
/// `i` of the request has channel `2i` for its bytes and `2i + 1` for what went wrong. Each channel
/// begins with the port, two bytes, the lower first. The WebSocket ends with the last connection.
final class WebSocketPortForwarding implements MessageConnection.Receiver {
  private static final int NONE = -1;

  private final MessageConnection messages;
  private final StreamingServer.Dialer dialer;
  private final String pod;
  private final List<BoundedPipe> typed = new ArrayList<>();
  private final List<Socket> sockets = new ArrayList<>();
  private final AtomicInteger running;
  // Of the thread that delivers, one at a time.
  private int channel = NONE;
  // Guarded by sockets.
  private boolean gone;

  private WebSocketPortForwarding(
      MessageConnection messages, StreamingServer.Dialer dialer, String pod, int count) {
    this.messages = messages;
    this.dialer = dialer;
    this.pod = pod;
    this.running = new AtomicInteger(count);
    for (int i = 0; i < count; i++) {
      typed.add(new BoundedPipe());
    }
  }

  /// Connects to each port, on a thread of its own.
  static WebSocketPortForwarding start(
      MessageConnection messages, StreamingServer.Dialer dialer, String pod, List<Integer> ports) {
    WebSocketPortForwarding forwarding =
        new WebSocketPortForwarding(messages, dialer, pod, ports.size());
    for (int i = 0; i < ports.size(); i++) {
      int index = i;
      Tasks.start("port-forward", () -> forwarding.forward(index, ports.get(index)));
    }
    return forwarding;
  }

  private void forward(int index, int port) {
    try {
      for (int each = 2 * index; each <= 2 * index + 1; each++) {
        messages.send(new byte[] {(byte) each, (byte) port, (byte) (port >> 8)});
      }
      connect(index, port);
    } catch (IOException _) {
      // The user is gone.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      if (running.decrementAndGet() == 0) {
        messages.close();
      }
    }
  }

  private void connect(int index, int port) throws IOException, InterruptedException {
    Socket socket;
    try {
      socket = dialer.dial(port);
    } catch (IOException | RuntimeException e) {
      String why =
          "error forwarding port "
              + port
              + " to pod "
              + pod
              + ": "
              + String.valueOf(e.getMessage());
      try (OutputStream error = new Channel(2 * index + 1)) {
        error.write(why.getBytes(StandardCharsets.UTF_8));
      }
      return;
    }
    try (socket) {
      if (!keep(socket)) {
        return;
      }
      Pump.start("to pod", typed.get(index).input(), HalfCloseStreams.output(socket));
      Pump.start("from pod", HalfCloseStreams.input(socket), new Channel(2 * index)).join();
      // Nothing reads what the user still sends; other ports' messages must get through.
      typed.get(index).input().close();
    }
  }

  private boolean keep(Socket socket) {
    synchronized (sockets) {
      sockets.add(socket);
      return !gone;
    }
  }

  @Override
  public void part(byte[] bytes, boolean last) throws IOException {
    int start = 0;
    if (channel == NONE && bytes.length > 0) {
      channel = bytes[0] & 0xff;
      start = 1;
    }
    if (channel % 2 == 0 && channel / 2 < typed.size() && bytes.length > start) {
      typed.get(channel / 2).write(bytes, start, bytes.length - start);
    }
    if (last) {
      channel = NONE;
    }
  }

  @Override
  public void gone(@Nullable Throwable why) {
    typed.forEach(BoundedPipe::finish);
    synchronized (sockets) {
      gone = true;
      for (Socket socket : sockets) {
        try {
          socket.close();
        } catch (IOException _) {
          // Nothing more can be done with it.
        }
      }
    }
  }

  private final class Channel extends BlockOutput {
    private final int number;

    Channel(int number) {
      this.number = number;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      byte[] message = new byte[length + 1];
      message[0] = (byte) number;
      System.arraycopy(bytes, offset, message, 1, length);
      messages.send(message);
    }
  }
}
