package io.fairlead.proxy.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Element;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ComparisonTest {
  private static final Element ONE = element(1, 10);
  private static final Element ONE_CHANGED = element(1, 11);
  private static final Element TWO = element(2, 20);

  private record Case(
      String name,
      List<Element> there,
      List<Element> wanted,
      List<Element> deleted,
      List<Element> added) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Element element(int key, int value) {
    return Element.of(Bytes.host32(key), Bytes.host32(value));
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("nothing at all", List.of(), List.of(), List.of(), List.of()),
        new Case("all there", List.of(ONE, TWO), List.of(TWO, ONE), List.of(), List.of()),
        new Case("one missing", List.of(ONE), List.of(ONE, TWO), List.of(), List.of(TWO)),
        new Case("one too many", List.of(ONE, TWO), List.of(TWO), List.of(ONE), List.of()),
        new Case(
            "another value",
            List.of(ONE),
            List.of(ONE_CHANGED),
            List.of(ONE),
            List.of(ONE_CHANGED)),
        new Case(
            "counters do not differ",
            List.of(ONE.counting(7, 70)),
            List.of(ONE),
            List.of(),
            List.of()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void tellsWhatLeadsFromOneToTheOther(Case row) {
    Elements there = new Elements();
    row.there.forEach(each -> there.put(Container.FRONTS, each));
    Comparison comparison = new Comparison(there);
    row.wanted.forEach(each -> comparison.put(Container.FRONTS, each));
    Changes changes = comparison.finish();
    assertThat(changes.deleted(Container.FRONTS)).isEqualTo(row.deleted);
    assertThat(changes.added(Container.FRONTS)).isEqualTo(row.added);
    assertThat(changes.added(Container.ENDPOINTS)).isEmpty();
  }
}
