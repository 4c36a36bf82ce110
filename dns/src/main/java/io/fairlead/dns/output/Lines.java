package io.fairlead.dns.output;

import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Shared;
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
public final class Lines implements AutoCloseable {
  /// The key under which all plugins share one.
  public static final String KEY = "lines on standard output";

  private static final Logger log = LoggerFactory.getLogger(Lines.class);
  private static final int MOST_WAITING = 8192;
  private static final String END = new String("end");

  private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final Consumer<String> sink;
  private final Counter dropped;
  private final Thread writer;

  public Lines(Consumer<String> sink, Metrics metrics) {
    this.sink = sink;
    this.dropped =
        metrics.counter(
            "fairlead_dns_log_lines_dropped_total", "Lines that could not be written in time.");
    this.writer = Thread.ofPlatform().name("dns-log").daemon().start(this::run);
  }

  /// The process's one.
  public static Shared.Taken<Lines> take(InstanceContext instance) {
    return instance
        .shared()
        .take(KEY, Lines.class, () -> new Lines(standardOutput(), instance.metrics()));
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

  @SuppressWarnings("ReferenceEquality") // the mark is one object, not a text somebody could log
  private void run() {
    try {
      for (String line = waiting.take(); line != END; line = waiting.take()) {
        sink.accept(line);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Writes what still waits, then ends.
  @Override
  public void close() {
    try {
      waiting.put(END);
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
