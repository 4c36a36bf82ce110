package io.fairlead.agent.cri;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.runtime.LinuxContainerResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Groups in directories that look like the kernel's.
class PodCgroupsTest {
  private static final LinuxContainerResources HALF =
      new LinuxContainerResources(250, 500, 1 << 20, 32 << 20, 0);

  @TempDir Path directory;

  private record Share(String name, long millis, long shares, long quota, long weight) {}

  static Stream<Share> shares() {
    return Stream.of(
        new Share("nothing asked for: the least weight, no limit", 0, 2, 0, 1),
        new Share("a whole core", 1000, 1024, 100_000, 39),
        new Share("half a core", 500, 512, 50_000, 20),
        new Share("so little that the kernel's least counts", 1, 2, 1000, 1),
        new Share("more than the kernel can weigh", 1_000_000, 262_144, 100_000_000, 10_000));
  }

  @ParameterizedTest
  @MethodSource("shares")
  void amountsAreTheKernels(Share share) {
    assertThat(CpuShares.shares(share.millis())).isEqualTo(share.shares());
    assertThat(CpuShares.quota(share.millis())).isEqualTo(share.quota());
    assertThat(CpuShares.weight(share.shares())).isEqualTo(share.weight());
  }

  private Path tree(String name, String... files) throws IOException {
    Path tree = Files.createDirectories(directory.resolve(name));
    for (String file : files) {
      Files.createFile(tree.resolve(file));
    }
    return tree;
  }

  @Test
  void version1HasATreePerResource() throws IOException {
    Path cpu = tree("cpu", "cpu.shares");
    Path memory = tree("memory", "memory.limit_in_bytes");
    Path pids = tree("pids");
    PodCgroups groups =
        new PodCgroups(List.of(cpu, memory, pids), false, directory.resolve("record"), "/");
    assertThat(groups.make("u1", "Burstable", HALF)).isEqualTo("/kubepods/burstable/podu1");
    assertThat(cpu.resolve("kubepods/burstable/podu1/cpu.shares")).hasContent("256");
    assertThat(cpu.resolve("kubepods/burstable/podu1/cpu.cfs_quota_us")).hasContent("50000");
    assertThat(memory.resolve("kubepods/burstable/podu1/memory.limit_in_bytes"))
        .hasContent(String.valueOf(32 << 20));
    assertThat(pids.resolve("kubepods")).doesNotExist();
    assertThat(groups.made()).containsExactly("u1");
  }

  @Test
  void version2HasOneTree() throws IOException {
    Path tree = tree("unified", "cgroup.subtree_control");
    PodCgroups groups = new PodCgroups(List.of(tree), true, directory.resolve("record"), "/");
    assertThat(groups.make("u1", "Guaranteed", HALF)).isEqualTo("/kubepods/podu1");
    Path group = tree.resolve("kubepods/podu1");
    assertThat(group.resolve("cpu.weight")).hasContent("10");
    assertThat(group.resolve("cpu.max")).hasContent("50000 100000");
    assertThat(group.resolve("memory.max")).hasContent(String.valueOf(32 << 20));
  }

  @Test
  void whatIsInUseStaysAndIsRemembered() throws IOException {
    Path pids = tree("pids");
    PodCgroups groups = new PodCgroups(List.of(pids), false, directory.resolve("record"), "/");
    groups.make("u1", "BestEffort", LinuxContainerResources.NONE);
    Path group = Files.createDirectories(pids.resolve("kubepods/besteffort/podu1/container"));
    Files.createFile(group.resolve("busy"));
    assertThat(groups.remove("u1")).isFalse();
    assertThat(groups.made()).containsExactly("u1");
    Files.delete(group.resolve("busy"));
    assertThat(groups.remove("u1")).isTrue();
    assertThat(groups.made()).isEmpty();
    groups.removeParents();
    assertThat(pids.resolve("kubepods")).doesNotExist();
  }

  @Test
  void aPodsLimitsChangeWhenThoseOfItsContainersHave() throws IOException {
    Path cpu = tree("cpu", "cpu.shares");
    PodCgroups groups = new PodCgroups(List.of(cpu), false, directory.resolve("record"), "/");
    groups.make("u1", "Burstable", HALF);
    Path quota = cpu.resolve("kubepods/burstable/podu1/cpu.cfs_quota_us");
    groups.resize(
        "u1",
        new LinuxContainerResources(250, 2000, 1 << 20, 32 << 20, 0),
        () -> assertThat(quota).as("none may have more than its parent").hasContent("-1"));
    assertThat(quota).hasContent("200000");
  }

  @Test
  void twoNodesOnOneMachineHaveGroupsOfTheirOwn() throws IOException {
    Path pids = tree("pids");
    Path other = Files.createDirectories(pids.resolve("kubepods/besteffort/podother"));
    PodCgroups groups =
        new PodCgroups(List.of(pids), false, directory.resolve("record"), "/nodes/a");
    String path = groups.make("u1", "BestEffort", LinuxContainerResources.NONE);
    assertThat(path).isEqualTo("/nodes/a/kubepods/besteffort/podu1");
    // As engines do.
    Files.createDirectories(pids.resolve(path.substring(1)));
    assertThat(groups.remove("u1")).isTrue();
    groups.removeParents();
    assertThat(pids.resolve("nodes")).doesNotExist();
    assertThat(other).exists();
  }

  @Test
  void anotherOnesGroupsStay() throws IOException {
    Path pids = tree("pids");
    Path other = Files.createDirectories(pids.resolve("kubepods/besteffort/podother"));
    PodCgroups groups = new PodCgroups(List.of(pids), false, directory.resolve("record"), "/");
    assertThat(groups.remove("other")).isTrue();
    groups.removeParents();
    assertThat(other).exists();
  }
}
