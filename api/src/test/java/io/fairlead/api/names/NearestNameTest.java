package io.fairlead.api.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
  @ParameterizedTest(name = "{0} means {1}")
  @CsvSource({
    "dwon,down",
    "statsu,status",
    "doctr,doctor",
    "up,up",
    "uo,up",
    "completions,completion",
    "frobnicate,''",
    "xy,''",
    "'',''"
  })
  void findsWhatWasMeant(String typed, String meant) {
    Stream<String> known = Stream.of("up", "down", "status", "doctor", "completion");
    assertThat(NearestName.to(typed, known).orElse("")).isEqualTo(meant);
  }
}
