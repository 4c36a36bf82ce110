package io.fairlead.bench.all;

import io.fairlead.api.json.Json;
import io.fairlead.bench.report.Originals;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ObjectNode;

/// Every benchmark that has an original beside it, one part after the other, then the table of
/// ratios; with the originals also the page `docs/performance.md`.
///
/// Each part is a process of its own, whose figures are kept in a file. A part that has its file is
/// not measured again, so a run that was interrupted goes on where it was, and one that was
/// disturbed can be mended by `--part`.
///
/// Arguments: `[--originals] [--part=NAME,…] [--again] [--list] [--page] [--smoke]
/// [--results=DIRECTORY] [--docs=DIRECTORY]`. `--part` measures the named parts, whether there are
/// figures or not; `--again` all of them; `--page` measures nothing and writes the page from what
/// is there. Needs root.
public final class AllBench {
  private static final List<String> SWITCHES =
      List.of("--originals", "--again", "--list", "--page", "--smoke");

  private final List<String> words;
  private final MachineFacts machine;
  private final Path results;
  private final Path docs;

  private AllBench(List<String> words) {
    this.words = words;
    Path home = Path.of(System.getProperty("fairlead.home", "."));
    machine = new MachineFacts(home);
    // What is too small to say anything is kept apart from what counts.
    String kept = words.contains("--smoke") ? "target/bench-all-smoke" : "target/bench-all";
    results = Path.of(option("results", home.resolve(kept).toString()));
    docs = Path.of(option("docs", home.resolve("docs").toString()));
  }

  public static void main(String[] words) throws Exception {
    System.exit(run(List.of(words)));
  }

  /// @return the exit status
  public static int run(List<String> words) throws Exception {
    for (String word : words) {
      if (!SWITCHES.contains(word) && !word.matches("--(part|results|docs)=.+")) {
        System.err.println("error: unknown argument: " + word);
        System.err.println("  next: " + String.join(" ", SWITCHES) + " --part=NAME,…");
        return 2;
      }
    }
    return new AllBench(words).run();
  }

  private String option(String name, String otherwise) {
    String prefix = "--" + name + "=";
    return words.stream()
        .filter(word -> word.startsWith(prefix))
        .map(word -> word.substring(prefix.length()))
        .findFirst()
        .orElse(otherwise);
  }

  private int run() throws Exception {
    if (words.contains("--list")) {
      BenchPart.ALL.forEach(part -> System.out.println(part.name()));
      return 0;
    }
    List<String> named = List.of(option("part", "").split(","));
    for (String name : named) {
      if (!name.isEmpty() && BenchPart.ALL.stream().noneMatch(part -> part.name().equals(name))) {
        System.err.println("error: no part named " + name + "\n  next: --list lists them");
        return 2;
      }
    }
    boolean some = !option("part", "").isEmpty();
    boolean failed = false;
    if (!words.contains("--page")) {
      Files.createDirectories(results);
      for (int i = 0; i < BenchPart.ALL.size(); i++) {
        BenchPart part = BenchPart.ALL.get(i);
        boolean there = Files.exists(file(part)) && !words.contains("--again");
        if (some ? named.contains(part.name()) : !there) {
          System.err.printf(
              "part %d of %d: %s, load %s%n",
              i + 1, BenchPart.ALL.size(), part.name(), MachineFacts.load());
          failed |= !measure(part);
        }
      }
    }
    PerformancePage page = new PerformancePage(PartFigures.read(lines()));
    System.out.println();
    System.out.print(page.table());
    if (words.contains("--page") || (words.contains("--originals") && !words.contains("--smoke"))) {
      Files.createDirectories(docs);
      Files.write(docs.resolve(PerformancePage.FIGURES), lines());
      page.write(docs);
      System.out.println("\nwrote " + docs.resolve("performance.md"));
    }
    return failed ? 1 : 0;
  }

  private Path file(BenchPart part) {
    return results.resolve(part.name() + ".jsonl");
  }

  /// What is there of all parts, in their order.
  private List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    for (BenchPart part : BenchPart.ALL) {
      if (Files.exists(file(part))) {
        lines.addAll(Files.readAllLines(file(part)));
      }
    }
    // A page can also be rewritten from the figures that belong to it.
    Path written = docs.resolve(PerformancePage.FIGURES);
    if (lines.isEmpty() && Files.exists(written)) {
      return Files.readAllLines(written);
    }
    return lines;
  }

  /// Runs one part; its figures count only when it ended well.
  private boolean measure(BenchPart part) throws IOException, InterruptedException {
    ObjectNode facts = Json.object().put(PartFigures.PART, part.name());
    facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    facts.put("commit", machine.commit());
    facts.put("machine", machine.machine());
    boolean originals = words.contains("--originals");
    facts.put("originals", originals ? MachineFacts.originals() : "none");
    facts.put("load", MachineFacts.load());
    long begin = System.nanoTime();
    List<String> figures = new ArrayList<>();
    Process process = start(part, originals);
    Path log = results.resolve(part.name() + ".log");
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        var writer = Files.newBufferedWriter(log)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        writer.write(line);
        writer.newLine();
        if (line.startsWith("{\"round\"")) {
          figures.add(line);
        }
      }
    }
    int exit = process.waitFor();
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    System.err.printf(
        Locale.ROOT,
        "  %d figures in %d s%s%n",
        figures.size(),
        seconds,
        exit == 0 ? "" : ", but it failed: " + log);
    if (exit == 0) {
      facts.put("seconds", Long.toString(seconds));
      figures.addFirst(new String(Json.bytes(facts), StandardCharsets.UTF_8));
      Files.write(file(part), figures);
    }
    return exit == 0;
  }

  private Process start(BenchPart part, boolean originals) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), part.benchmark().getName()));
    command.addAll(part.words());
    if (words.contains("--smoke")) {
      command.add("--smoke");
    }
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    if (!originals) {
      builder.environment().put(Originals.SWITCH, "off");
    }
    return builder.start();
  }
}
