package io.fairlead.proxy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The kernel's numbers, in a directory in place of `/proc/sys`.
class ConntrackSettingsTest {
  @TempDir Path root;
  private Path directory;

  @BeforeEach
  void make() throws IOException {
    directory = Files.createDirectories(root.resolve("net/netfilter"));
    put("max", 65536);
    put("buckets", 16384);
    put("tcp_timeout_established", 432000);
    put("tcp_timeout_close_wait", 60);
    put("tcp_be_liberal", 0);
  }

  private void put(String name, int value) throws IOException {
    Files.writeString(directory.resolve("nf_conntrack_" + name), value + "\n");
  }

  private int number(String name) throws IOException {
    return Integer.parseInt(Files.readString(directory.resolve("nf_conntrack_" + name)).strip());
  }

  private static ProxyConfiguration with(String... flags) {
    ProxyConfiguration configuration = ProxyConfiguration.defaults();
    for (String flag : flags) {
      String[] parts = flag.split("=", 2);
      configuration = configuration.with(ProxyFlag.find(parts[0]).orElseThrow(), parts[1]);
    }
    return configuration;
  }

  private void apply(ProxyConfiguration configuration, int cpus) {
    assertThat(ConntrackSettings.apply(configuration, new SysctlFiles(root), cpus)).isEmpty();
  }

  @Test
  void theTableGrowsWithTheCoresAndItsBucketsWithIt() throws IOException {
    apply(with(), 8);
    assertThat(number("max")).isEqualTo(8 * 32768);
    assertThat(number("buckets")).isEqualTo(2 * 32768);
    assertThat(number("tcp_timeout_established")).isEqualTo(86400);
    assertThat(number("tcp_timeout_close_wait")).isEqualTo(3600);
    assertThat(number("tcp_be_liberal")).isZero();
  }

  @Test
  void thereIsALeastAndAMost() throws IOException {
    apply(with(), 1);
    assertThat(number("max")).as("the least").isEqualTo(131072);
    apply(with(), 1000);
    assertThat(number("max")).as("the most").isEqualTo(1048576);
  }

  @Test
  void moreBucketsThanNeededStay() throws IOException {
    put("buckets", 262144);
    apply(with(), 2);
    assertThat(number("buckets")).isEqualTo(262144);
  }

  @Test
  void zeroLeavesTheKernelsOwn() throws IOException {
    apply(
        with(
            "conntrack-max-per-core=0",
            "conntrack-tcp-timeout-established=0s",
            "conntrack-tcp-timeout-close-wait=0s",
            "conntrack-tcp-be-liberal=true"),
        8);
    assertThat(number("max")).isEqualTo(65536);
    assertThat(number("buckets")).isEqualTo(16384);
    assertThat(number("tcp_timeout_established")).isEqualTo(432000);
    assertThat(number("tcp_be_liberal")).isEqualTo(1);
  }

  @Test
  void whatCannotBeSetIsNamed() throws IOException {
    Files.delete(directory.resolve("nf_conntrack_max"));
    Files.createDirectory(directory.resolve("nf_conntrack_max"));
    assertThat(ConntrackSettings.apply(with(), new SysctlFiles(root), 2))
        .containsExactly("net/netfilter/nf_conntrack_max");
  }
}
