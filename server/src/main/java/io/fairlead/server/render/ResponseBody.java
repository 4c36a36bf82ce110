package io.fairlead.server.render;

import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.request.MediaType;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// The body of an ordinary answer, written as it comes.
///
/// How it works: up to 128 KiB are held back. An answer that ends within goes out whole with its
/// length; a longer one goes out in pieces, compressed when the client takes gzip. So small answers
/// are never compressed and large ones are never held in memory.
public final class ResponseBody extends OutputStream {
  public static final int THRESHOLD = 128 << 10;
  private static final int FIRST = 4 << 10;

  private final HttpServerExchange exchange;
  private byte[] held = new byte[FIRST];
  private int used;
  private @Nullable OutputStream started;

  public ResponseBody(HttpServerExchange exchange) {
    this.exchange = exchange;
  }

  @Override
  public void write(int b) throws IOException {
    makeRoom(1);
    held[used++] = (byte) b;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    makeRoom(length);
    if (length > held.length - used) {
      sink().write(bytes, offset, length);
      return;
    }
    System.arraycopy(bytes, offset, held, used, length);
    used += length;
  }

  /// Grows what is held back to the threshold, then sends it off. Longer pieces find no space.
  private void makeRoom(int length) throws IOException {
    if (length <= held.length - used) {
      return;
    }
    if (used + length <= THRESHOLD) {
      int size = Math.max(used + length, held.length * 4);
      held = java.util.Arrays.copyOf(held, Math.min(size, THRESHOLD));
      return;
    }
    OutputStream out = sink();
    out.write(held, 0, used);
    used = 0;
  }

  private OutputStream sink() throws IOException {
    OutputStream out = started;
    if (out == null) {
      out = exchange.output();
      if (acceptsGzip(exchange)) {
        exchange.setHeader("Content-Encoding", "gzip");
        exchange.setHeader("Vary", "Accept-Encoding");
        out = new Gzip(out);
      }
      started = out;
    }
    return out;
  }

  /// Ends the answer. An answer that is not closed is cut off, which the client notices.
  @Override
  public void close() throws IOException {
    OutputStream out = started;
    if (out == null) {
      exchange.send(held, used);
      return;
    }
    try (OutputStream last = out) {
      last.write(held, 0, used);
    }
  }

  /// Whether the client takes compressed answers.
  public static boolean acceptsGzip(HttpServerExchange exchange) {
    if (exchange.headers("Accept-Encoding").isEmpty()) {
      return false;
    }
    return MediaType.accepted(exchange.headers("Accept-Encoding")).stream()
        .anyMatch(clause -> clause.type().equals("gzip"));
  }

  /// Fast compression: the network is seldom the bottleneck, the processor often.
  private static final class Gzip extends GZIPOutputStream {
    Gzip(OutputStream out) throws IOException {
      super(out, 32 << 10);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
