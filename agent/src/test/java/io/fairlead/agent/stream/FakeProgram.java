package io.fairlead.agent.stream;

import io.fairlead.agent.pipe.BoundedPipe;
import io.fairlead.agent.runtime.AttachedProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;

/// A program that prints what it reads, and complains once; it ends with its input, or when it is
/// closed.
final class FakeProgram implements AttachedProcess {
  private static final int CLOSED = 137;

  final List<String> sizes = new CopyOnWriteArrayList<>();
  final CompletableFuture<Integer> end = new CompletableFuture<>();
  private final BoundedPipe output = new BoundedPipe();
  private final BoundedPipe error = new BoundedPipe();
  private final int code;

  FakeProgram(int code, String complaint) throws IOException {
    this.code = code;
    byte[] bytes = complaint.getBytes(StandardCharsets.UTF_8);
    error.write(bytes, 0, bytes.length);
    error.finish();
  }

  @Override
  public OutputStream input() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        output.write(bytes, offset, length);
      }

      @Override
      public void close() {
        output.finish();
        end.complete(code);
      }
    };
  }

  @Override
  public InputStream output() {
    return output.input();
  }

  @Override
  public InputStream error() {
    return error.input();
  }

  @Override
  public void resize(int columns, int rows) {
    sizes.add(columns + "x" + rows);
  }

  @Override
  public int await() throws InterruptedException {
    try {
      return end.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    output.finish();
    end.complete(CLOSED);
  }
}
