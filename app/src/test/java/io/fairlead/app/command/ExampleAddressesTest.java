package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `up` tells to type next fits the service range it was started with.
class ExampleAddressesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "10.96.0.0/12; kubectl apply -f a.yaml",
        "10.96.0.0/16; kubectl apply -f a.yaml",
        "10.0.0.0/16; sed s/10.96/10.0/ a.yaml | kubectl apply -f -",
        "172.16.0.0/12; sed s/10.96/172.16/ a.yaml | kubectl apply -f -",
        "10.96.0.0/24; grep -v 'clusterIP: 10.96' a.yaml | kubectl apply -f -",
        "fd00:10:96::/112; grep -v 'clusterIP: 10.96' a.yaml | kubectl apply -f -"
      })
  void fitsTheRange(String range, String command) {
    assertThat(ExampleAddresses.apply("a.yaml", List.of(range))).isEqualTo(command);
  }
}
