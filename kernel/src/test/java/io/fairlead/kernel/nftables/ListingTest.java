package io.fairlead.kernel.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.nftables.ScriptedKernel.Listing;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Lists that the kernel could not give in one go.
class ListingTest {
  private static final Table TABLE = new Table(NftFamily.IP, "test");
  private static final String A = "0a000001";
  private static final String B = "0a000002";
  private static final String C = "0a000003";

  record Case(String name, List<Listing> script, int asked, List<String> expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("a whole list is asked for once", List.of(list(A, B, C)), 1, List.of(A, B, C)),
        new Case("an empty list is whole", List.of(list()), 1, List.of()),
        new Case(
            "a list that says it was interrupted is asked for again",
            List.of(new Listing(true, List.of(A)), list(A, B, C)),
            2,
            List.of(A, B, C)),
        new Case(
            "a list in which a key comes twice is asked for again",
            List.of(list(A, A, C), list(A, B, B), list(A, B, C)),
            3,
            List.of(A, B, C)),
        new Case(
            "ranges that touch come twice every time",
            List.of(list(A, B, B, C)),
            2,
            List.of(A, B, B, C)));
  }

  private static Listing list(String... keys) {
    return new Listing(false, List.of(keys));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void listsAreWhole(Case each) {
    try (ScriptedKernel kernel = new ScriptedKernel(each.script)) {
      assertThat(kernel.nftables().elements(TABLE, "set"))
          .extracting(element -> element.key().toString())
          .containsExactlyElementsOf(
              each.expected.stream().map(key -> NftData.ofHex(key).toString()).toList());
      assertThat(kernel.asked()).isEqualTo(each.asked);
    }
  }

  @Test
  void aListThatNeverComesToRestIsAnError() {
    List<Listing> restless =
        Stream.iterate(0, i -> i < 40, i -> i + 1)
            .map(i -> i % 2 == 0 ? list(A, A) : list(B, B))
            .toList();
    try (ScriptedKernel kernel = new ScriptedKernel(restless)) {
      assertThatThrownBy(() -> kernel.nftables().elements(TABLE, "set"))
          .isInstanceOf(NetlinkException.class)
          .hasMessageContaining("elements of ip test set")
          .hasMessageContaining("kept moving");
      assertThat(kernel.asked()).isEqualTo(20);
    }
    try (ScriptedKernel kernel = new ScriptedKernel(List.of(new Listing(true, List.of(A))))) {
      assertThatThrownBy(() -> kernel.nftables().elements(TABLE, "set"))
          .isInstanceOf(NetlinkException.class)
          .hasMessageContaining("kept changing");
    }
  }
}
