package io.fairlead.client.transport;

import io.fairlead.work.Tasks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Lines read from a byte stream by one thread.
///
/// A server that vanished without a word would leave the reader waiting for ever, so the stream is
/// closed when it lasts longer than was asked for.
final class InputLines implements LineStream {
  private static final int BUFFER = 16 << 10;

  private final int code;
  private final InputStream in;
  private final Consumer<LineStream> onClose;
  private final CompletableFuture<@Nullable Void> limit;
  // Owned by the reading thread.
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int end;
  // Written by any thread, so that the reader knows why its read failed.
  private volatile boolean closed;

  InputLines(int code, InputStream in, Duration timeout, Consumer<LineStream> onClose) {
    this.code = code;
    this.in = in;
    this.onClose = onClose;
    this.limit =
        new CompletableFuture<@Nullable Void>()
            .completeOnTimeout(null, timeout.toMillis(), TimeUnit.MILLISECONDS);
    var _ = limit.thenRun(() -> Tasks.start("stream-limit", this::close));
  }

  @Override
  public int code() {
    return code;
  }

  @Override
  public Optional<byte[]> next() {
    ByteArrayOutputStream begun = new ByteArrayOutputStream(0);
    while (true) {
      for (int i = position; i < end; i++) {
        if (buffer[i] == '\n') {
          int start = position;
          position = i + 1;
          // Almost all lines are within the buffer.
          if (begun.size() == 0) {
            return Optional.of(Arrays.copyOfRange(buffer, start, i));
          }
          begun.write(buffer, start, i - start);
          return Optional.of(begun.toByteArray());
        }
      }
      begun.write(buffer, position, end - position);
      if (!fill()) {
        return begun.size() == 0 ? Optional.empty() : Optional.of(begun.toByteArray());
      }
    }
  }

  private boolean fill() {
    position = 0;
    end = 0;
    try {
      int read = in.read(buffer);
      if (closed) {
        throw new ConnectionException("the stream was closed");
      }
      end = Math.max(read, 0);
      return read >= 0;
    } catch (IOException e) {
      throw new ConnectionException(
          closed ? "the stream was closed" : "the stream broke: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    limit.cancel(false);
    onClose.accept(this);
    try {
      in.close();
    } catch (IOException _) {
      // The connection is gone either way.
    }
  }
}
