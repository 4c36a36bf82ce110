package io.fairlead.agent.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.agent.discovery.ConfigDataReader;
import io.fairlead.agent.discovery.DownwardFields;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.yaml.Yaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// Parts of volumes in which the pod's own programs plant links.
@Tag("system")
class VolumeSubPathTest {
  private static final int WALKS = 300;
  private static final Map<String, String> VARIABLES =
      Map.of("WHERE", "there", "DEEP", "deep", "EMPTY", "", "UP", "..", "ROOT", "/etc");

  @TempDir Path directory;
  private Path volume;
  private Path outside;
  private Path podDirectory;

  @BeforeEach
  void make() throws IOException {
    volume = Files.createDirectories(directory.resolve("volume"));
    outside = Files.createDirectories(directory.resolve("outside"));
    podDirectory = Files.createDirectories(directory.resolve("pods/u1"));
    Files.createDirectories(volume.resolve("there/deep"));
    Files.writeString(volume.resolve("there/file"), "inside");
    Files.writeString(outside.resolve("secret"), "secret");
    Files.createSymbolicLink(volume.resolve("out"), outside);
    Files.createSymbolicLink(volume.resolve("up"), Path.of("../outside"));
    Files.createSymbolicLink(volume.resolve("nowhere"), outside.resolve("made"));
    Files.createSymbolicLink(volume.resolve("process"), Path.of("/proc/self/root"));
    Files.createSymbolicLink(volume.resolve("within"), Path.of("there"));
  }

  @AfterEach
  void remove() {
    PodVolumes.remove(podDirectory);
  }

  private Path mounted(String part) {
    return mounted("subPath", part);
  }

  private Path mounted(String field, String part) {
    Pod pod =
        Pod.of(
            (ObjectNode)
                Yaml.parse(
                    "metadata: {name: p, namespace: default, uid: u1}\nspec: {volumes: [{name: v,"
                        + " hostPath: {path: "
                        + volume
                        + "}}], containers: [{name: c, image: i, volumeMounts: [{name: v,"
                        + " mountPath: /m, "
                        + field
                        + ": \""
                        + part
                        + "\"}]}]}"));
    PodVolumes volumes =
        new PodVolumes(
            new Nothing(), (_, _, _) -> "", new DownwardFields(List.of(), List.of(), Map.of()));
    return volumes
        .mounts(pod, pod.containers().getFirst(), podDirectory, VARIABLES)
        .getFirst()
        .source();
  }

  private record Part(String path, String expected) {
    @Override
    public String toString() {
      return path;
    }
  }

  static Stream<Part> parts() {
    return Stream.of(
        new Part("there", "there"),
        new Part("there/file", "there/file"),
        new Part("within/deep", "there/deep"),
        new Part("made", "made"),
        new Part("within/made/deep", "there/made/deep"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("parts")
  void aPartOfTheVolumeIsMounted(Part part) throws IOException {
    assertThat(Files.isSameFile(mounted(part.path()), volume.resolve(part.expected()))).isTrue();
    assertThat(Files.isSameFile(mounted(part.path()), volume.resolve(part.expected())))
        .as("the next run mounts it again")
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "out",
        "out/made",
        "out/made/deep",
        "up",
        "up/made",
        "nowhere",
        "nowhere/deep",
        "process/etc",
        "there/../../outside",
        "..",
        "/etc"
      })
  void aPartOutsideIsRefusedAndNothingIsMadeThere(String part) throws IOException {
    assertThatThrownBy(() -> mounted(part))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessageStartingWith("subPath of volume v");
    assertThat(names(outside)).containsExactly("secret");
  }

  @ParameterizedTest
  @CsvSource({
    "$(WHERE), there",
    "within/$(DEEP), there/deep",
    "made-$$(WHERE), made-$(WHERE)",
    "$(WHERE)/for-$(DEEP), there/for-deep"
  })
  void aPartIsNamedByVariables(String expression, String expected) throws IOException {
    assertThat(Files.isSameFile(mounted("subPathExpr", expression), volume.resolve(expected)))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"$(NONE)", "$(EMPTY)", "a/$(NONE)", "$(UP)/outside", "out/$(WHERE)", "$(ROOT)"})
  void variablesLeadNeitherOutsideNorToTheWholeVolume(String expression) throws IOException {
    assertThatThrownBy(() -> mounted("subPathExpr", expression))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessageStartingWith("subPath");
    assertThat(names(outside)).containsExactly("secret");
  }

  @Test
  void aLinkSwappedInDuringTheWalkLeadsNowhere() throws Exception {
    Path link = volume.resolve("swapped");
    Files.createDirectory(volume.resolve("real"));
    Files.createSymbolicLink(link, Path.of("real"));
    AtomicBoolean over = new AtomicBoolean();
    Thread swap =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    for (Path target : List.of(Path.of("real"), outside)) {
                      replace(link, target);
                    }
                  }
                });
    int found = 0;
    try {
      for (int i = 0; i < WALKS; i++) {
        try {
          Path source = mounted("swapped/made");
          found++;
          assertThat(source.resolve("secret")).doesNotExist();
          Files.writeString(source.resolve("written"), "");
        } catch (RuntimeFailure e) {
          assertThat(e.text()).startsWith("subPath of volume v");
        }
      }
    } finally {
      over.set(true);
      swap.join();
    }
    assertThat(found).isBetween(1, WALKS - 1);
    assertThat(names(outside)).containsExactly("secret");
  }

  @Test
  void aPodThatGoesLeavesTheVolume() throws IOException {
    mounted("there");
    PodVolumes.remove(podDirectory);
    assertThat(podDirectory).doesNotExist();
    assertThat(volume.resolve("there/file")).hasContent("inside");
    assertThat(Files.readString(Path.of("/proc/self/mountinfo")))
        .doesNotContain(directory.toString());
  }

  private static void replace(Path link, Path target) {
    try {
      Path next = Files.createSymbolicLink(link.resolveSibling("next"), target);
      Files.move(next, link, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> names(Path of) throws IOException {
    try (Stream<Path> all = Files.walk(of)) {
      return all.filter(one -> !one.equals(of)).map(one -> of.relativize(one).toString()).toList();
    }
  }

  private static final class Nothing implements ConfigDataReader {
    @Override
    public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
      return Optional.empty();
    }

    @Override
    public Optional<Map<String, byte[]>> secret(String namespace, String name) {
      return Optional.empty();
    }
  }
}
