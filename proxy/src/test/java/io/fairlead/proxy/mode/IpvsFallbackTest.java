package io.fairlead.proxy.mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fairlead.kernel.ipvs.Ipvs;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.node.SysctlFiles;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Vector I10: what becomes of the ipvs mode on a kernel without IPVS.
@Tag("system")
class IpvsFallbackTest {
  private static final ProxyConfiguration IPVS =
      ProxyConfiguration.defaults().with(ProxyFlag.find("proxy-mode").orElseThrow(), "ipvs");

  @BeforeEach
  void withoutIpvs() {
    assumeTrue(lacksIpvs(), "this kernel has IPVS: there is nothing to fall back from");
  }

  private static boolean lacksIpvs() {
    try {
      Ipvs.open().close();
      return false;
    } catch (SystemCallException e) {
      return e.isNotFound();
    }
  }

  private static ProxyModes modes(ProxyConfiguration configuration) {
    return new ProxyModes(configuration, new SysctlFiles(Path.of("/proc/sys")));
  }

  @Test
  void iptablesIsUsedAndTheReasonSaid() {
    ProxyModes.Chosen chosen = modes(IPVS).choose();
    assertThat(chosen.mode()).isEqualTo(ProxyMode.IPTABLES);
    assertThat(chosen.warning())
        .startsWith("the ipvs mode cannot be used, using iptables instead: the kernel has no IPVS");
  }

  @Test
  void strictModeRefuses() {
    ProxyFlag fallback =
        new ProxyFlag("strict-mode", List.of("ipvs", "fallback"), ProxyFlag.Kind.TEXT);
    ProxyModes strict = modes(IPVS.with(fallback, "fail"));
    assertThatThrownBy(strict::choose)
        .isInstanceOf(DataPlaneException.class)
        .hasMessageContaining("the kernel has no IPVS");
  }

  @Test
  void whereTheModeLeftNothingNothingIsRemoved() {
    assertThat(modes(IPVS).remove(ProxyMode.IPVS)).isEmpty();
  }
}
