package io.fairlead.bench.endtoend;

import io.fairlead.api.json.Json;
import io.fairlead.bench.api.Processes;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// What a process holds at one moment, and what the kernel of its machine holds for it.
///
/// @param residentMegabytes memory of the process
/// @param heapMegabytes objects that are in use
/// @param threads of the process, those of the system
/// @param descriptors open files and sockets
/// @param elements of all nftables sets and maps
/// @param connections the kernel tracks
public record ResourceUsage(
    double residentMegabytes,
    double heapMegabytes,
    long threads,
    long descriptors,
    long elements,
    long connections) {
  private static final double MEGABYTE = 1e6;
  private static final Pattern CLASS = Pattern.compile("\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+(\\S+).*");

  /// What a collection puts into gaps that it does not close.
  private static final String FILLER = "jdk.internal.vm.Filler";

  /// As many collections until the heap is as small as it gets: it shrinks in steps.
  private static final int COLLECTIONS = 4;

  /// Looks at a Java process on this machine that has little to do, after having it give back what
  /// memory it does not need.
  public static ResourceUsage atRest(long pid) throws IOException {
    for (int i = 0; i < COLLECTIONS; i++) {
      jcmd(pid, "GC.run");
    }
    return of(pid);
  }

  /// Looks at a Java process on this machine.
  public static ResourceUsage of(long pid) throws IOException {
    // Collects the garbage itself, and counts before there is any new.
    double heap = heap(jcmd(pid, "GC.class_histogram"));
    Path proc = Path.of("/proc/" + pid);
    return new ResourceUsage(
        Processes.residentBytes(pid) / MEGABYTE,
        heap,
        count(proc.resolve("task")),
        count(proc.resolve("fd")),
        ruleElements(),
        Long.parseLong(
            Files.readString(Path.of("/proc/sys/net/netfilter/nf_conntrack_count")).strip()));
  }

  private static String jcmd(long pid, String what) {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    return run(List.of("env", jcmd.toString(), Long.toString(pid), what));
  }

  private static String run(List<String> command) {
    CommandRunner.Result result = CommandRunner.here(Duration.ofMinutes(2)).run("", command);
    if (!result.succeeded()) {
      throw new IllegalStateException(command + ": " + result.error() + result.output());
    }
    return result.output();
  }

  private static double heap(String histogram) {
    double used = 0;
    for (String line : histogram.lines().toList()) {
      Matcher found = CLASS.matcher(line);
      if (found.matches() && !found.group(2).contains(FILLER)) {
        used += Long.parseLong(found.group(1)) / MEGABYTE;
      }
    }
    if (used == 0) {
      throw new IllegalStateException("no classes in: " + histogram);
    }
    return used;
  }

  private static long count(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.count();
    }
  }

  private static long ruleElements() {
    String text = run(List.of("nft", "-j", "list", "ruleset"));
    long count = 0;
    JsonNode ruleset = Json.parse(text.getBytes(StandardCharsets.UTF_8));
    for (JsonNode each : ruleset.path("nftables")) {
      for (String kind : List.of("set", "map")) {
        count += each.path(kind).path("elem").size();
      }
    }
    return count;
  }

  /// The figures by name.
  public Map<String, Double> figures() {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("rss_mb", residentMegabytes);
    figures.put("heap_mb", heapMegabytes);
    figures.put("threads", (double) threads);
    figures.put("descriptors", (double) descriptors);
    figures.put("nft_elements", (double) elements);
    figures.put("conntrack", (double) connections);
    return figures;
  }
}
