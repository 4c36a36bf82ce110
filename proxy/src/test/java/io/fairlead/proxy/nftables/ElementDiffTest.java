package io.fairlead.proxy.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.SetElement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ElementDiffTest {
  private static final SetElement ONE = element(1, 10);
  private static final SetElement ONE_CHANGED = element(1, 11);
  private static final SetElement TWO = element(2, 20);

  private record Case(
      String name,
      List<SetElement> there,
      List<SetElement> wanted,
      List<SetElement> deleted,
      List<SetElement> added) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static SetElement element(int key, int value) {
    return SetElement.of(NftData.host32(key), NftData.host32(value));
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
  void saysWhatLeadsFromOneStateToTheOther(Case row) {
    IndexedElements there = new IndexedElements();
    row.there.forEach(each -> there.put(ProxySet.FRONTS, each));
    ElementDiff changes = new ElementDiff(there);
    row.wanted.forEach(each -> changes.put(ProxySet.FRONTS, each));
    changes.finish();
    assertThat(changes.deleted(ProxySet.FRONTS)).isEqualTo(row.deleted);
    assertThat(changes.added(ProxySet.FRONTS)).isEqualTo(row.added);
    assertThat(changes.added(ProxySet.ENDPOINTS)).isEmpty();
  }

  @Test
  void onlyElementsThatReplaceOthersAreMapped() {
    IndexedElements there = new IndexedElements();
    there.put(ProxySet.FRONTS, ONE);
    ElementDiff changes = new ElementDiff(there);
    changes.put(ProxySet.FRONTS, ONE_CHANGED);
    changes.put(ProxySet.FRONTS, TWO);
    changes.finish().mapReplacing(ProxySet.FRONTS, element -> element.counting(7, 70));
    assertThat(changes.added(ProxySet.FRONTS)).containsExactly(ONE_CHANGED.counting(7, 70), TWO);
  }
}
