package io.fairlead.policy.runtime;

import io.fairlead.api.json.Json;
import io.fairlead.policy.core.IpProtocol;
import io.fairlead.work.SupervisedLoop;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Writes denied packets as JSON lines to a file or to standard output: every ten seconds one line
/// for those that want the same, with how many came since the line before.
final class DropLogWriter implements AutoCloseable {
  static final String KIND = "policy-drop-log";

  private static final Duration PACE = Duration.ofSeconds(10);
  private static final String STANDARD_OUTPUT = "-";

  private final String where;
  private final Supplier<List<DropLog.Drop>> drops;
  private final SupervisedLoop loop;
  // Owned by the loop.
  private Map<DropLog.Key, Long> written = new HashMap<>();

  /// @param where a file, or `-`
  DropLogWriter(String where, Supplier<List<DropLog.Drop>> drops) {
    this.where = where;
    this.drops = drops;
    this.loop = SupervisedLoop.of(KIND).every(PACE).build(this::step);
  }

  void start() {
    loop.start();
  }

  private void step() {
    StringBuilder lines = new StringBuilder();
    Map<DropLog.Key, Long> counts = new HashMap<>();
    for (DropLog.Drop drop : drops.get()) {
      long before = written.getOrDefault(drop.key(), 0L);
      counts.put(drop.key(), drop.count());
      if (drop.count() > before) {
        lines.append(json(drop, drop.count() - before)).append('\n');
      }
    }
    if (!lines.isEmpty()) {
      write(lines.toString());
    }
    written = counts;
  }

  /// One joined drop.
  static ObjectNode json(DropLog.Drop drop, long count) {
    ObjectNode line = Json.object();
    line.put("time", drop.last().toString());
    line.put("code", drop.reason().code());
    line.put("direction", drop.key().chain());
    line.put("source", drop.key().source().toString());
    line.put("destination", drop.key().destination().toString());
    line.put("protocol", IpProtocol.text(drop.key().protocol()));
    line.put("port", drop.key().port());
    line.put("count", count);
    line.put("message", drop.reason().text());
    drop.reason().policies().forEach(line.putArray("policies")::add);
    return line;
  }

  private void write(String lines) {
    if (where.equals(STANDARD_OUTPUT)) {
      System.out.print(lines);
      System.out.flush();
      return;
    }
    try (OutputStream out =
        Files.newOutputStream(
            Path.of(where), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      out.write(lines.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
