package io.fairlead.agent.stats;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What the whole machine has used, from the kernel's own files.
///
/// @param cpu time in which a processor was not idle, since the machine started
/// @param memory bytes in use that the kernel could not take back
/// @param total bytes of memory
/// @param available bytes of memory
record NodeUsage(Duration cpu, long memory, long total, long available) {
  private static final long TICKS_PER_SECOND = 100;
  private static final int IDLE = 3;
  private static final int WAITING = 4;

  /// Reads `/proc/stat` and `/proc/meminfo` below a directory.
  static NodeUsage look(Path proc) {
    Map<String, Long> memory = new TreeMap<>();
    for (String line : lines(proc.resolve("meminfo"))) {
      String[] words = line.split("\\s+");
      if (words.length > 1 && words[1].matches("[0-9]{1,15}")) {
        memory.put(words[0], Long.parseLong(words[1]) * 1024);
      }
    }
    long total = memory.getOrDefault("MemTotal:", 0L);
    long available = memory.getOrDefault("MemAvailable:", 0L);
    return new NodeUsage(cpu(proc), Math.max(0, total - available), total, available);
  }

  /// The first line: `cpu user nice system idle iowait irq …`, in ticks.
  private static Duration cpu(Path proc) {
    List<String> lines = lines(proc.resolve("stat"));
    if (lines.isEmpty()) {
      return Duration.ZERO;
    }
    String[] words = lines.getFirst().split("\\s+");
    long ticks = 0;
    for (int i = 1; i < Math.min(words.length, 9); i++) {
      if (i - 1 != IDLE && i - 1 != WAITING && words[i].matches("[0-9]{1,18}")) {
        ticks += Long.parseLong(words[i]);
      }
    }
    return Duration.ofMillis(ticks * 1000 / TICKS_PER_SECOND);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException _) {
      return List.of();
    }
  }
}
