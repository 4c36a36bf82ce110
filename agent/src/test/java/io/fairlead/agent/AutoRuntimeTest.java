package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.runtime.PodTraits;
import io.fairlead.agent.runtime.RuntimeFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Which runtime a pod gets.
class AutoRuntimeTest {
  private record Case(String name, String wish, List<String> images, boolean engine) {}

  static Stream<Case> cases() {
    return Stream.of(
        new Case("a name of the catalogue", "", List.of("fairlead.dev/hostnames"), false),
        new Case("with a tag", "", List.of("fairlead.dev/echo:1"), false),
        new Case("any other name", "", List.of("nginx:1.27"), true),
        new Case("below our domain but not in the catalogue", "", List.of("fairlead.dev/x"), true),
        new Case("the last part alone does not count", "", List.of("example.test/echo"), true),
        new Case("a mix", "", List.of("fairlead.dev/echo", "nginx"), true),
        new Case("wants the engine", "cri", List.of("fairlead.dev/echo"), true),
        new Case("wants the built-in one", "builtin", List.of("nginx"), false));
  }

  private static PodTraits traits(String wish, List<String> images) {
    return new PodTraits(
        Path.of("logs"),
        images,
        wish,
        "BestEffort",
        LinuxContainerResources.NONE,
        false,
        false,
        false,
        false,
        Map.of());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void chosenByNamesAlone(Case each) {
    assertThat(AutoRuntime.inEngine(traits(each.wish(), each.images()))).isEqualTo(each.engine());
  }

  @Test
  void aRuntimeThatDoesNotExistIsNamed() {
    assertThatThrownBy(() -> AutoRuntime.inEngine(traits("gvisor", List.of("nginx"))))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessageContaining("no runtime \"gvisor\"");
  }
}
