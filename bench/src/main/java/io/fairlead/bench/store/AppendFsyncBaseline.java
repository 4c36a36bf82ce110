package io.fairlead.bench.store;

import io.fairlead.work.Tasks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The least a durable write can cost here: one thread appends all that waits to a file and forces
/// it. No index, no revisions, nothing to read back.
final class AppendFsyncBaseline implements StoreUnderTest {
  private record Pending(byte[] value, CompletableFuture<Boolean> done) {}

  private volatile Pending end = new Pending(new byte[0], new CompletableFuture<>());

  private final BlockingQueue<Pending> queue = new LinkedBlockingQueue<>();
  private @Nullable Thread thread;
  private final AtomicLong written = new AtomicLong();

  @Override
  public String name() {
    return "append+force";
  }

  @Override
  public void start(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve("log"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    written.set(0);
    end = new Pending(new byte[0], new CompletableFuture<>());
    thread = Tasks.startPlatform("floor", () -> append(channel));
  }

  private void append(FileChannel channel) {
    try (channel) {
      while (true) {
        List<Pending> group = new ArrayList<>();
        group.add(queue.take());
        queue.drainTo(group, 511);
        for (Pending each : group) {
          channel.write(ByteBuffer.wrap(each.value()));
        }
        channel.force(false);
        written.addAndGet(group.size());
        group.forEach(each -> each.done().complete(true));
        if (group.contains(end)) {
          written.decrementAndGet();
          return;
        }
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void write(String key, byte[] value) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    queue.add(new Pending(value, done));
    done.join();
  }

  @Override
  public long count(byte[] value) {
    return written.get();
  }

  @Override
  public void close() {
    queue.add(end);
    if (thread != null) {
      end.done().join();
    }
  }
}
