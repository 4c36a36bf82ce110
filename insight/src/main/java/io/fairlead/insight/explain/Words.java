package io.fairlead.insight.explain;

import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.finding.Sentence;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// How amounts, lists and reasons are written in sentences.
final class Words {
  private static final int LISTED = 5;

  private Words() {}

  /// `41 ms`, `2.3 s`, `42s`, `12m`, `3h12m`, `5d3h`.
  static String duration(Duration amount) {
    long millis = Math.max(0, amount.toMillis());
    long seconds = millis / 1000;
    if (millis < 1000) {
      return millis + " ms";
    }
    if (seconds < 10) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
    return age(amount);
  }

  /// As kubectl writes an age: `42s`, `12m`, `3h12m`, `5d3h`.
  static String age(Duration amount) {
    long seconds = Math.max(0, amount.toSeconds());
    if (seconds < 120) {
      return seconds + "s";
    }
    if (seconds < 3600 * 3) {
      return seconds / 60 + "m";
    }
    return seconds < 86_400 * 2
        ? seconds / 3600 + "h" + seconds % 3600 / 60 + "m"
        : seconds / 86_400 + "d" + seconds % 86_400 / 3600 + "h";
  }

  /// `0.4 ms`, `12 ms`.
  static String millis(double amount) {
    return amount < 10 ? String.format(Locale.ROOT, "%.1f ms", amount) : Math.round(amount) + " ms";
  }

  /// The first five, and how many more.
  static String list(Collection<String> all) {
    List<String> sorted = all.stream().distinct().sorted().toList();
    if (sorted.size() <= LISTED) {
      return String.join(", ", sorted);
    }
    return String.join(", ", sorted.subList(0, LISTED)) + " + " + (sorted.size() - LISTED);
  }

  /// A row's sentence for what could not be seen.
  static Sentence unknown(Unseen<?> unseen) {
    return new Sentence("row.unknown", why(unseen.why()));
  }

  /// What fills `{why}`.
  static Map<String, String> why(Why why) {
    Map<String, String> values = new TreeMap<>(why.values());
    values.put("why", why.name());
    return values;
  }
}
