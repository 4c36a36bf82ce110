package io.fairlead.agent.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.kernel.syscall.MountPoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Empty directories of pods, on disk and in memory.
@Tag("system")
class EmptyDirectoryTest {
  @TempDir Path directory;

  private Path place() {
    return directory.resolve("volumes/v");
  }

  private boolean open(String source) {
    return new EmptyDirectory(place(), Yaml.parse(source)).open();
  }

  @AfterEach
  void remove() {
    PodVolumes.remove(directory.resolve("volumes"));
  }

  @Test
  void onDiskItIsADirectoryForEveryone() throws IOException {
    assertThat(open("{}")).isTrue();
    assertThat(open("{}")).as("the next look finds it").isFalse();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place())))
        .isEqualTo("rwxrwxrwx");
    assertThat(MountPoints.below(place())).isEmpty();
  }

  @Test
  void inMemoryItIsAFileSystemOfThatSize() throws IOException {
    assertThat(open("{medium: Memory, sizeLimit: 1Mi}")).isTrue();
    assertThat(Files.getFileStore(place()).type()).isEqualTo("tmpfs");
    assertThat(Files.getFileStore(place()).getTotalSpace()).isEqualTo(1 << 20);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place())))
        .isEqualTo("rwxrwxrwx");
    Files.writeString(place().resolve("file"), "content");
    assertThat(open("{medium: Memory, sizeLimit: 1Mi}")).as("it is there").isFalse();
    assertThat(place().resolve("file")).hasContent("content");
    assertThat(MountPoints.below(place())).hasSize(1);
  }

  @Test
  void removedItLeavesNoMount() {
    open("{medium: Memory}");
    PodVolumes.remove(directory.resolve("volumes"));
    assertThat(MountPoints.below(directory)).isEmpty();
    assertThat(place()).doesNotExist();
  }

  @Test
  void anotherMediumIsRefused() {
    assertThatThrownBy(() -> open("{medium: HugePages}"))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessage("no emptyDir of medium HugePages on this node");
  }
}
