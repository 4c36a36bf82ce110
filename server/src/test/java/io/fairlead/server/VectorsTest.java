package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The vectors that have no row, where everybody sees them: one line each in the report.
class VectorsTest {
  @TestFactory
  Stream<DynamicTest> notCheckedHere() {
    return Vectors.ELSEWHERE.entrySet().stream()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.getKey() + " is not checked here: " + each.getValue(),
                    () -> assertThat(each.getValue()).isNotBlank()));
  }

  @Test
  void areFew() {
    for (Map.Entry<String, String> each : Vectors.ELSEWHERE.entrySet()) {
      System.out.println(each.getKey() + " is not checked here: " + each.getValue());
    }
    assertThat(Vectors.ELSEWHERE).hasSizeLessThan(8);
  }
}
