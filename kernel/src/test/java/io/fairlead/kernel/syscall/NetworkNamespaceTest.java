package io.fairlead.kernel.syscall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("system")
class NetworkNamespaceTest {
  private final NetworkNamespace namespace =
      NetworkNamespace.create("flk-ns-" + ProcessHandle.current().pid());

  @AfterEach
  void remove() {
    namespace.delete();
  }

  @Test
  void workInsideSeesAWorldOfItsOwnAndTheCallerStaysOutside() throws IOException {
    String outside = link("/proc/thread-self/ns/net");
    assertThat(namespace.call(() -> link("/proc/thread-self/ns/net"))).isNotEqualTo(outside);
    assertThat(link("/proc/thread-self/ns/net")).isEqualTo(outside);
  }

  @Test
  void theToolsOfTheMachineSeeItUnderItsName() {
    CommandRunner tool = CommandRunner.here(Duration.ofSeconds(60));
    assertThat(tool.run("", List.of("ip", "netns", "list")).output()).contains(namespace.name());
    CommandRunner.Result result =
        CommandRunner.inside(namespace, Duration.ofSeconds(60))
            .run("", List.of("ip", "-o", "link"));
    assertThat(result.output().lines()).hasSize(1).first().asString().contains("lo:");
  }

  @Test
  void aSecondOneOfTheSameNameIsRefused() {
    assertThatThrownBy(() -> NetworkNamespace.create(namespace.name()))
        .hasMessageContaining(namespace.name())
        .hasMessageContaining("EEXIST");
  }

  @Test
  void whatFailsInsideFailsOutside() {
    assertThatThrownBy(
            () ->
                namespace.run(
                    () -> {
                      throw new IllegalArgumentException("inside");
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("inside");
  }

  @Test
  void afterDeletingNothingIsLeftAndDeletingAgainIsFine() {
    namespace.delete();
    assertThat(namespace.exists()).isFalse();
    namespace.delete();
    assertThatThrownBy(() -> namespace.run(() -> {})).hasMessageContaining("open: ENOENT");
  }

  private static String link(String path) throws IOException {
    return Files.readSymbolicLink(Path.of(path)).toString();
  }
}
