package io.fairlead.bench.all;

import io.fairlead.bench.report.Originals;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What figures are worth nothing without: the machine, the commit and the originals' versions.
record MachineFacts(Path home) {
  private static final double KILOBYTES_PER_GIGABYTE = 1024 * 1024;

  /// Processor, cores, memory, kernel and Java; not the machine's name.
  String machine() throws IOException {
    return String.format(
        Locale.ROOT,
        "%s, %d cores, %.0f GiB, Linux %s, Java %s",
        valueOf("/proc/cpuinfo", "model name"),
        Runtime.getRuntime().availableProcessors(),
        Double.parseDouble(valueOf("/proc/meminfo", "MemTotal").replaceAll("\\D", ""))
            / KILOBYTES_PER_GIGABYTE,
        System.getProperty("os.version").replaceFirst("-.*", ""),
        Runtime.version());
  }

  private static String valueOf(String file, String key) throws IOException {
    return Files.readAllLines(Path.of(file)).stream()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("0 unknown");
  }

  /// The load of the last minute.
  static String load() throws IOException {
    return Files.readString(Path.of("/proc/loadavg")).split(" ")[0];
  }

  /// The commit the sources are at, with a word when they differ from it.
  String commit() throws InterruptedException {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=10")
              .directory(home.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return git.waitFor() == 0 ? said : "unknown";
    } catch (IOException e) {
      return "unknown";
    }
  }

  /// The originals that are found, with their versions.
  static String originals() throws IOException, InterruptedException {
    List<String> versions = new ArrayList<>();
    for (Originals original : Originals.values()) {
      Optional<Path> found = original.find();
      if (found.isPresent()) {
        versions.add(original.version(found.get()));
      }
    }
    return versions.isEmpty() ? "none" : String.join(", ", versions);
  }
}
