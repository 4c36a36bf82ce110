package io.fairlead.server;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// What a kube-apiserver 1.36 answered to a script of requests about MutatingAdmissionPolicies and
/// what they change, row by row.
class RecordedMutatingPoliciesTest {
  /// Rows of which only the code is compared, and why.
  private static final Map<String, String> DECIDED =
      Map.of(
          "refused: does not parse", "the parser says in other words what it expected",
          "does: patch of what is missing", "patches fail in other words",
          "does: patch with an unknown operation", "patches fail in other words",
          "does: patch without a path", "patches fail in other words");

  @TestFactory
  Stream<DynamicTest> answersAreThoseOfKubernetes() throws Exception {
    return new RecordedAnswers(DECIDED).rows("policies/mutating.json");
  }
}
