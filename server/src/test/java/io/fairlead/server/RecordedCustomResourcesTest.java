package io.fairlead.server;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// What a kube-apiserver 1.36 answered to a script of requests about definitions and their objects,
/// row by row.
class RecordedCustomResourcesTest {
  /// Rows of which only the code is compared, and why.
  private static final Map<String, String> DECIDED =
      Map.of(
          "refused: no storage version", "the value is shown as JSON, not as a Go struct",
          "value: fraction", "the original reports it a second time, as a fault of the format",
          "value: embedded metadata", "the value is shown in its own order, not a sorted one",
          "value: no kind", "the blanks of the body are those of who sent it",
          "object: table", "the column of names is described in other words",
          "apply: wrong type", "the original prints the address of the value",
          "definition: established", "the server that fills in the status is another manager",
          "versions: made in the old one", "what the stored version lacks is kept");

  @TestFactory
  Stream<DynamicTest> answersAreThoseOfKubernetes() throws Exception {
    return new RecordedAnswers(DECIDED).rows("crd/recorded.json");
  }
}
