package io.fairlead.bench.api;

import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Starting and stopping what is measured.
public final class Processes {
  private static final double TICKS_PER_SECOND = 100; // USER_HZ, the same on every Linux

  private Processes() {}

  /// Seconds of processor time a process has used, of itself and in the kernel.
  public static double processorSeconds(long pid) throws IOException {
    return seconds(pid, 2);
  }

  /// The same with what ended children of it have used.
  public static double processorSecondsWithChildren(long pid) throws IOException {
    return seconds(pid, 4);
  }

  private static double seconds(long pid, int columns) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    // utime, stime, cutime, cstime
    return Stream.of(fields).skip(11).limit(columns).mapToLong(Long::parseLong).sum()
        / TICKS_PER_SECOND;
  }

  public static long residentBytes(long pid) {
    return status(pid, "VmRSS:");
  }

  /// The most that was resident since the start or [#forgetPeak].
  public static long peakBytes(long pid) {
    return status(pid, "VmHWM:");
  }

  public static void forgetPeak(long pid) throws IOException {
    Files.writeString(Path.of("/proc/" + pid + "/clear_refs"), "5");
  }

  private static long status(long pid, String name) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith(name))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  /// Starts a process that ends with this one, also when this one is interrupted.
  public static Process start(Path log, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    Tasks.atExit("clean-up", process::destroyForcibly);
    return process;
  }

  public static void stop(List<Process> processes) {
    for (Process process : processes.reversed()) {
      process.destroy();
      try {
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  public static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
