package io.fairlead.proxy.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.RelayedChoice;
import io.fairlead.proxy.core.RelayedChoice.Attempt;
import io.fairlead.proxy.core.RelayedChoice.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the record of a relay says in a trace.
class RelayHopTest {
  static final RelayedChoice SECOND_ACCEPTED = choice(Outcome.REFUSED, Outcome.ACCEPTED);

  private record Case(String name, RelayedChoice choice, String text, boolean failed) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static RelayedChoice choice(Outcome... outcomes) {
    List<String> addresses = List.of("10.244.1.7", "10.244.2.3");
    List<Attempt> attempts =
        Stream.iterate(0, i -> i < outcomes.length, i -> i + 1)
            .map(i -> new Attempt(IpAddress.parse(addresses.get(i)), 9376, outcomes[i]))
            .toList();
    return new RelayedChoice(IpAddress.parse("10.244.1.20"), 41873, attempts);
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            "the first one took it", choice(Outcome.ACCEPTED), "10.244.1.7:9376 accepted", false),
        new Case(
            "v86 the first refused, the second took it",
            SECOND_ACCEPTED,
            "10.244.1.7:9376 refused, tried 10.244.2.3:9376, which accepted",
            false),
        new Case(
            "none took it",
            choice(Outcome.REFUSED, Outcome.TOO_SLOW),
            "10.244.1.7:9376 refused, tried 10.244.2.3:9376, which took too long",
            true));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void says(Case row) {
    assertThat(RelayHop.of(row.choice()).text()).isEqualTo(row.text());
    assertThat(RelayHop.failed(Optional.of(row.choice()))).isEqualTo(row.failed());
    assertThat(RelayHop.port(Optional.of(row.choice()))).isEqualTo("9376");
  }
}
