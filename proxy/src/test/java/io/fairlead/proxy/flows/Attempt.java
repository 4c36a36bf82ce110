package io.fairlead.proxy.flows;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What one try to connect came to.
public sealed interface Attempt {

  /// A pod answered.
  ///
  /// @param pod its name
  /// @param port the port it was reached on
  /// @param seen the client's address as the pod saw it
  record Reached(String pod, int port, IpAddress seen) implements Attempt {}

  record Refused() implements Attempt {}

  record Unanswered() implements Attempt {}

  /// A rule of the sender's own node refused or dropped the datagram: sending failed.
  record Stopped() implements Attempt {}

  static Attempt tcp(
      NetworkNamespace from,
      @Nullable InetSocketAddress own,
      InetSocketAddress to,
      Duration limit) {
    try (Socket socket = from.call(() -> socket(own))) {
      socket.setSoTimeout((int) limit.toMillis());
      socket.connect(to, (int) limit.toMillis());
      return reached(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    } catch (ConnectException _) {
      return new Refused();
    } catch (SocketTimeoutException _) {
      return new Unanswered();
    } catch (IOException e) {
      throw new IllegalStateException("calling " + to, e);
    }
  }

  private static Socket socket(@Nullable InetSocketAddress own) throws IOException {
    Socket socket = new Socket();
    // Binding is what makes the descriptor, and it must be made inside the namespace.
    socket.bind(own);
    return socket;
  }

  static Attempt udp(
      NetworkNamespace from,
      @Nullable InetSocketAddress own,
      InetSocketAddress to,
      Duration limit) {
    try (DatagramSocket socket =
        from.call(() -> own == null ? new DatagramSocket() : new DatagramSocket(own))) {
      socket.setSoTimeout((int) limit.toMillis());
      socket.connect(to);
      if (!send(socket)) {
        return new Stopped();
      }
      DatagramPacket answer = new DatagramPacket(new byte[256], 256);
      socket.receive(answer);
      return reached(new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8));
    } catch (PortUnreachableException _) {
      return new Refused();
    } catch (SocketTimeoutException _) {
      return new Unanswered();
    } catch (IOException e) {
      throw new IllegalStateException("calling " + to, e);
    }
  }

  /// False when the kernel does not let it out, which Java reports as a plain exception.
  private static boolean send(DatagramSocket socket) {
    try {
      socket.send(new DatagramPacket(new byte[] {'?'}, 1));
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private static Attempt reached(String answer) {
    String[] words = answer.split(" ");
    return new Reached(words[0], Integer.parseInt(words[1]), IpAddress.parse(words[2]));
  }
}
