package io.fairlead.agent.builtin;

import io.fairlead.agent.pipe.BlockOutput;
import io.fairlead.agent.pipe.BoundedPipe;
import io.fairlead.agent.runtime.AttachedProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;

/// A user attached to a container's first program. The program does not end with them; its input
/// does when it is for one visitor only.
final class AttachedShell implements AttachedProcess {
  /// The streams of a program.
  ///
  /// @param input where to type
  /// @param once its input ends with the first visitor
  /// @param resize takes columns and rows
  record Streams(
      OutputFanout output,
      OutputFanout error,
      OutputStream input,
      boolean once,
      BiConsumer<Integer, Integer> resize) {}

  private final Streams streams;
  private final BoundedPipe output;
  private final BoundedPipe error;
  private final OutputStream input;
  private final CountDownLatch over = new CountDownLatch(1);

  AttachedShell(Streams streams, boolean input, CompletableFuture<Integer> end) {
    this.streams = streams;
    this.output = streams.output().join();
    this.error = streams.error().join();
    this.input = input ? new Typing() : OutputStream.nullOutputStream();
    end.thenRun(over::countDown);
  }

  @Override
  public OutputStream input() {
    return input;
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
    streams.resize().accept(columns, rows);
  }

  /// Waits for the program's end or the visitor's. The status shows how the program ended.
  @Override
  public int await() throws InterruptedException {
    over.await();
    return 0;
  }

  @Override
  public void close() {
    streams.output().leave(output);
    streams.error().leave(error);
    over.countDown();
  }

  private final class Typing extends BlockOutput {
    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      synchronized (streams) {
        streams.input().write(bytes, offset, length);
        streams.input().flush();
      }
    }

    @Override
    public void close() throws IOException {
      if (streams.once()) {
        streams.input().close();
      }
    }
  }
}
