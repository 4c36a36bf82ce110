package io.fairlead.app.lab;

import io.fairlead.work.Tasks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// Carries bytes between two connections, each direction until its own end.
final class Relay {
  private static final int SIZE = 16 << 10;

  private Relay() {}

  /// Returns when both directions have ended. What breaks one side off ends the other.
  static void between(SocketChannel one, SocketChannel other)
      throws IOException, InterruptedException {
    Thread back = Tasks.start("lab relay", () -> copy(other, one));
    copy(one, other);
    back.join();
  }

  private static void copy(SocketChannel from, SocketChannel to) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SIZE);
    try {
      while (from.read(bytes) >= 0) {
        write(to, bytes.flip());
        bytes.clear();
      }
      to.shutdownOutput();
    } catch (IOException _) {
      from.close();
      to.close();
    }
  }

  static void write(SocketChannel to, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      int _ = to.write(bytes);
    }
  }
}
