package io.fairlead.bench.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Collects figures: a JSON line for each as it is measured, a Markdown table at the end. Medians
/// are over rounds; the best round is the one nearest to an undisturbed machine.
///
/// Owned by the thread that measures.
public final class Report {
  private record Key(String who, String what, String figure) {}

  private final PrintStream out;
  private final List<Goal> goals;
  private final Map<Key, List<Double>> figures = new LinkedHashMap<>();

  public Report(PrintStream out, List<Goal> goals) {
    this.out = out;
    this.goals = List.copyOf(goals);
  }

  public void add(int round, String who, String what, String figure, double value) {
    out.printf(
        Locale.ROOT,
        "{\"round\":%d,\"who\":\"%s\",\"what\":\"%s\",\"figures\":{\"%s\":%.2f}}%n",
        round,
        who,
        what,
        figure,
        value);
    figures.computeIfAbsent(new Key(who, what, figure), key -> new ArrayList<>()).add(value);
  }

  /// Prints the table. With another contestant in the run, its ratio to the first is formed inside
  /// each round before the median is taken.
  ///
  /// @return whether every goal was met by `who` in the median
  public boolean table(String who) {
    out.println();
    out.println("load " + load());
    out.println();
    out.println("| what | figure | who | median | best | ratio | goal |");
    out.println("|---|---|---|---|---|---|---|");
    boolean met = true;
    for (Map.Entry<Key, List<Double>> entry : figures.entrySet()) {
      Key key = entry.getKey();
      List<Double> base = figures.getOrDefault(new Key(who, key.what(), key.figure()), List.of());
      Goal goal = goal(key);
      double median = median(entry.getValue());
      String verdict = "";
      if (goal != null && key.who().equals(who)) {
        verdict = shown(goal, median);
        met &= goal.met(median);
      }
      out.printf(
          Locale.ROOT,
          "| %s | %s | %s | %.2f | %.2f | %s | %s |%n",
          key.what(),
          key.figure(),
          key.who(),
          median,
          best(key.figure(), entry.getValue(), goal),
          key.who().equals(who) ? "" : ratio(entry.getValue(), base),
          verdict);
    }
    return met;
  }

  private @Nullable Goal goal(Key key) {
    return goals.stream()
        .filter(goal -> goal.what().equals(key.what()) && goal.figure().equals(key.figure()))
        .findFirst()
        .orElse(null);
  }

  private static String shown(Goal goal, double median) {
    return String.format(
        Locale.ROOT,
        "%s %s %s: %s",
        goal.id(),
        goal.atLeast() ? "≥" : "≤",
        goal.bound(),
        goal.met(median) ? "met" : "missed");
  }

  private static String ratio(List<Double> values, List<Double> base) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(values.size(), base.size()); i++) {
      ratios.add(values.get(i) / base.get(i));
    }
    return ratios.isEmpty() ? "" : String.format(Locale.ROOT, "%.2f", median(ratios));
  }

  /// Of rates more is better; of all else less, unless the goal says otherwise.
  private static double best(String figure, List<Double> values, @Nullable Goal goal) {
    boolean most = goal == null ? figure.endsWith("per_second") : goal.atLeast();
    return most ? Collections.max(values) : Collections.min(values);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private static String load() {
    try {
      return Files.readString(Path.of("/proc/loadavg")).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
