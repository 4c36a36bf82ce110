package io.fairlead.proxy.bgp;

import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Talks to a BIRD at its control socket. Each command is a connection of its own: a BIRD that was
/// started again answers like the one before. Nothing waits longer than a limit.
final class BirdControl {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final int LONGEST = 1 << 20;

  private final Path socket;
  private final Ticker ticker;

  BirdControl(Path socket, Ticker ticker) {
    this.socket = socket;
    this.ticker = ticker;
  }

  /// Whether a BIRD answers there.
  boolean answers() {
    try {
      return !exchange("show status").failed();
    } catch (IOException e) {
      return false;
    }
  }

  /// Sends a command and waits for the end of its answer.
  ///
  /// @throws BgpEngineException when nothing answers in time, or with what BIRD says when it
  ///   refuses
  BirdReply command(String text) {
    BirdReply reply;
    try {
      reply = exchange(text);
    } catch (IOException e) {
      throw new BgpEngineException("bird does not answer at " + socket + ": " + e.getMessage(), e);
    }
    if (reply.failed()) {
      throw new BgpEngineException("bird: " + reply.lastLine());
    }
    return reply;
  }

  private BirdReply exchange(String text) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        Selector selector = Selector.open()) {
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      long end = ticker.nanos() + LIMIT.toNanos();
      // It greets first.
      BirdReply _ = read(channel, selector, end);
      // So short a text always fits into the socket's buffer.
      ByteBuffer command = StandardCharsets.US_ASCII.encode(text + "\n");
      while (command.hasRemaining()) {
        int _ = channel.write(command);
      }
      return read(channel, selector, end);
    }
  }

  private BirdReply read(SocketChannel channel, Selector selector, long end) throws IOException {
    StringBuilder text = new StringBuilder();
    ByteBuffer buffer = ByteBuffer.allocate(8192);
    while (text.length() < LONGEST) {
      long left = end - ticker.nanos();
      if (left <= 0) {
        throw new IOException("no answer within " + LIMIT.toSeconds() + " s");
      }
      int _ = selector.select(Math.max(1, Duration.ofNanos(left).toMillis()));
      selector.selectedKeys().clear();
      buffer.clear();
      int count = channel.read(buffer);
      if (count < 0) {
        throw new IOException("it closed the connection");
      }
      text.append(StandardCharsets.UTF_8.decode(buffer.flip()));
      Optional<BirdReply> reply = BirdReply.read(text.toString());
      if (reply.isPresent()) {
        return reply.get();
      }
    }
    throw new IOException("its answer is too long");
  }
}
