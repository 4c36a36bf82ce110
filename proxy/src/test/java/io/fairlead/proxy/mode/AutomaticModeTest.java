package io.fairlead.proxy.mode;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.proxy.core.ProxyMode;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What mode `auto` takes. That it asks the kernel rightly is shown where kernels differ: in a
/// network namespace of this machine and in a guest.
class AutomaticModeTest {
  @Test
  void nftablesWhereNothingSpeaksAgainstIt() {
    assertThat(ProxyModes.automatic(Optional.empty()))
        .isEqualTo(new ProxyModes.Chosen(ProxyMode.NFTABLES, "", ""));
  }

  @Test
  void elseIptablesWithTheReason() {
    assertThat(ProxyModes.automatic(Optional.of("the kernel has no nftables: …")))
        .isEqualTo(
            new ProxyModes.Chosen(
                ProxyMode.IPTABLES,
                "mode auto takes iptables, not nftables: the kernel has no nftables: …",
                ""));
  }
}
