package io.fairlead.controller.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.controller.Controllers;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ControllerListTest {
  private record Case(String name, List<String> words, String controller, boolean runs) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    String gc = "garbage-collector-controller";
    String namespace = "namespace-controller";
    return Stream.of(
        new Case("star runs all", List.of("*"), gc, true),
        new Case("an empty list runs none", List.of(), gc, false),
        new Case("a name runs that one", List.of(gc), gc, true),
        new Case("and no other", List.of(gc), namespace, false),
        new Case("minus takes one out", List.of("*", "-" + gc), gc, false),
        new Case("and leaves the others", List.of("*", "-" + gc), namespace, true),
        new Case("the order of star does not matter", List.of("-" + gc, "*"), gc, false),
        new Case("of two words about one the first counts", List.of(gc, "-" + gc), gc, true),
        new Case("an old name is understood", List.of("garbagecollector"), gc, true),
        new Case("also with a minus", List.of("*", "-garbagecollector"), gc, false));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void reads(Case row) {
    assertThat(Controllers.list(row.words()).enables(row.controller())).isEqualTo(row.runs());
  }

  @Test
  void aWordThatNamesNoneIsRefused() {
    assertThatThrownBy(() -> Controllers.list(List.of("*", "-no-such-controller")))
        .isInstanceOf(ControllerList.UnknownController.class)
        .hasMessage("\"-no-such-controller\" is not in the list of known controllers");
  }

  @Test
  void theNamesAreThoseOfKubeControllerManager() {
    assertThat(Controllers.names())
        .contains(
            "clusterrole-aggregation-controller",
            "garbage-collector-controller",
            "namespace-controller",
            "root-ca-certificate-publisher-controller",
            "serviceaccount-controller");
  }
}
