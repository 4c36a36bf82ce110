package io.fairlead.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamespaceNameTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "aPodStarts, test-a-pod-starts-",
    "x, test-x-",
    "with_underscore, test-with-underscore-",
    "großeÄpfel, test-gro-e-pfel-",
    "_, test-",
    "aVeryLongNameThatWouldNotFitIntoTheNameOfANamespace, test-a-very-long-name-that-would-not-fit-into-",
  })
  void tellsWhoseItIs(String method, String start) {
    assertThat(FairleadExtension.namespace(method))
        .startsWith(start)
        .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?")
        .hasSizeLessThanOrEqualTo(63);
  }
}
