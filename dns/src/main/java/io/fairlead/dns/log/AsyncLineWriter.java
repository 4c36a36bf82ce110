package io.fairlead.dns.log;

import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.work.SupervisedLoop;
import io.prometheus.metrics.core.metrics.Counter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes lines one after the other on a thread of its own. When they come faster than they can be
/// written, the newest are dropped and counted: a slow terminal must not slow down answers.
public final class AsyncLineWriter implements AutoCloseable {
  /// The key under which all plugins share one.
  public static final String KEY = "lines on standard output";

  private static final Logger log = LoggerFactory.getLogger(AsyncLineWriter.class);
  private static final int MOST_WAITING = 8192;

  private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final Consumer<String> sink;
  private final Counter dropped;
  private final SupervisedLoop writer;

  public AsyncLineWriter(Consumer<String> sink, Metrics metrics) {
    this.sink = sink;
    this.dropped =
        metrics.counter(
            "fairlead_dns_log_lines_dropped_total", "Lines that could not be written in time.");
    this.writer = SupervisedLoop.of("dns-log").platform().start(() -> print(waiting.take()));
  }

  /// The process's one.
  public static SharedResources.Handle<AsyncLineWriter> take(InstanceContext instance) {
    return instance
        .shared()
        .take(
            KEY,
            AsyncLineWriter.class,
            () -> new AsyncLineWriter(standardOutput(), instance.metrics()));
  }

  public void write(String line) {
    if (!waiting.offer(line)) {
      dropped.inc();
    }
  }

  private static Consumer<String> standardOutput() {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    return line -> {
      try {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        log.debug("cannot write to standard output", e);
      }
    };
  }

  private void print(String line) {
    try {
      sink.accept(line);
    } catch (RuntimeException e) {
      dropped.inc();
      throw e;
    }
  }

  /// Ends the thread, then writes the lines that still wait on the calling one.
  @Override
  public void close() {
    writer.close();
    for (String line = waiting.poll(); line != null; line = waiting.poll()) {
      print(line);
    }
  }
}
