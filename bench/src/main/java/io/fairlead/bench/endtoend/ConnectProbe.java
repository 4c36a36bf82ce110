package io.fairlead.bench.endtoend;

import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/// Tries to connect, without a pause, until a Service accepts or refuses.
final class ConnectProbe {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int TRY_MILLIS = 5;
  private static final int IN_A_ROW = 5;

  private ConnectProbe() {}

  /// @return the moment of the first connection, or of the first of five failures in a row
  static long await(NetworkNamespace from, InetSocketAddress to, boolean open) {
    return from.call(
        () -> {
          long give = System.nanoTime() + PATIENCE.toNanos();
          int row = 0;
          long first = 0;
          while (System.nanoTime() < give) {
            if (isOpen(to) == open) {
              first = row++ == 0 ? System.nanoTime() : first;
              if (open || row == IN_A_ROW) {
                return first;
              }
            } else {
              row = 0;
            }
          }
          throw new IllegalStateException(to + " did not become reachable: " + open);
        });
  }

  private static boolean isOpen(InetSocketAddress to) {
    try (Socket socket = new Socket()) {
      socket.setReuseAddress(true);
      socket.setSoLinger(true, 0);
      socket.connect(to, TRY_MILLIS);
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
