package io.fairlead.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// A table of the specification's vectors: each is run here, or says where it is run.
final class Vectors {
  /// Checks one vector.
  interface Check {
    void run() throws Exception;
  }

  private final Map<String, List<DynamicTest>> rows = new LinkedHashMap<>();

  /// A vector that is checked here.
  Vectors row(String id, String name, Check check) {
    rows.computeIfAbsent(id, _ -> new ArrayList<>())
        .add(DynamicTest.dynamicTest(id + " " + name, check::run));
    return this;
  }

  /// A vector that belongs to another part or another issue.
  Vectors elsewhere(String id, String reason) {
    return row(id, "is checked elsewhere: " + reason, () -> {});
  }

  Stream<DynamicTest> tests() {
    return rows.values().stream().flatMap(List::stream);
  }

  /// The ids from `prefix1` to `prefixN` that have no row.
  List<String> missing(String prefix, int last) {
    List<String> missing = new ArrayList<>();
    for (int i = 1; i <= last; i++) {
      if (!rows.containsKey(prefix + i)) {
        missing.add(prefix + i);
      }
    }
    return missing;
  }
}
