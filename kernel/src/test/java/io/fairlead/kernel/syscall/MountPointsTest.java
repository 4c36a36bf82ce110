package io.fairlead.kernel.syscall;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MountPointsTest {
  @Test
  void pathsAreReadAsTheKernelWritesThem() {
    assertThat(
            MountPoints.targets(
                List.of(
                    "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
                    "73 22 0:40 / /mnt/with\\040space rw - tmpfs tmpfs rw",
                    "74 22 0:41 / /mnt/back\\134slash rw master:1 - tmpfs tmpfs rw",
                    "torn")))
        .containsExactly(Path.of("/"), Path.of("/mnt/with space"), Path.of("/mnt/back\\slash"));
  }

  @Test
  void whatLiesBesideADirectoryIsNotBelowIt() {
    assertThat(MountPoints.below(Path.of("/proc"))).contains(Path.of("/proc"));
    assertThat(MountPoints.below(Path.of("/pro"))).isEmpty();
  }
}
