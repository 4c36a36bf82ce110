package io.fairlead.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// A table of the specification's vectors. Each has a row that checks it, or an entry in
/// [#ELSEWHERE] that says why it has none in this module.
final class Vectors {
  /// Checks one vector.
  interface Check {
    void run() throws Exception;
  }

  /// What this module cannot check, and why. `VectorsTest` prints it.
  static final Map<String, String> ELSEWHERE =
      new TreeMap<>(
          Map.of(
              "P22", "needs a node; e2e StreamsTest",
              "P23", "needs a node; e2e StreamsTest",
              "P24", "needs a node; e2e StreamsTest",
              "P25", "needs a node; e2e StreamsTest",
              "P27", "needs a node; e2e StreamsTest",
              "P30", "needs Helm and its charts, which are not among the tools of the tests",
              "W20", "needs client-go; kubectl and fabric8 watch in module e2e"));

  private final Map<String, List<DynamicTest>> rows = new LinkedHashMap<>();

  /// A vector that is checked here.
  Vectors row(String id, String name, Check check) {
    rows.computeIfAbsent(id, _ -> new ArrayList<>())
        .add(DynamicTest.dynamicTest(id + " " + name, check::run));
    return this;
  }

  Stream<DynamicTest> tests() {
    return rows.values().stream().flatMap(List::stream);
  }

  /// The ids from `prefix1` to `prefixN` that have neither a row nor a reason.
  List<String> missing(String prefix, int last) {
    List<String> missing = new ArrayList<>();
    for (int i = 1; i <= last; i++) {
      if (!rows.containsKey(prefix + i) && !ELSEWHERE.containsKey(prefix + i)) {
        missing.add(prefix + i);
      }
    }
    return missing;
  }
}
