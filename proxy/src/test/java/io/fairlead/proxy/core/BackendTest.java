package io.fairlead.proxy.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/// The order of endpoints, which decides about the order of rules.
class BackendTest {
  private static final List<String> PREFIXES =
      List.of(
          "10.0.0.",
          "10.0.1.",
          "10.0.10.",
          "10.1.0.",
          "1.0.0.",
          "100.0.0.",
          "fd00::",
          "fd00:0:1::");
  private static final int[] PORTS = {1, 8, 80, 81, 800, 8080, 9, 65535, 10000};

  private static Backend any(Random random) {
    String prefix = PREFIXES.get(random.nextInt(PREFIXES.size()));
    return Backend.ready(
        IpAddress.parse(prefix + random.nextInt(256)), PORTS[random.nextInt(PORTS.length)], false);
  }

  @RepeatedTest(20)
  void orderIsThatOfTheTexts(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    List<Backend> some = IntStream.range(0, 60).mapToObj(_ -> any(random)).toList();
    for (Backend one : some) {
      for (Backend other : some) {
        assertThat(Integer.signum(Backend.BY_TEXT.compare(one, other)))
            .as("%s and %s", one.text(), other.text())
            .isEqualTo(Integer.signum(one.text().compareTo(other.text())));
      }
    }
  }
}
