package io.fairlead.proxy.mode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What mode `auto` takes. That it asks the kernel rightly is shown where kernels differ: in a
/// network namespace of this machine and in a guest.
class AutomaticModeTest {
  @Test
  void nftablesWhereNothingSpeaksAgainstIt() {
    assertThat(Modes.automatic(Optional.empty()))
        .isEqualTo(new Modes.Chosen(Modes.NFTABLES, "", ""));
  }

  @Test
  void elseIptablesWithTheReason() {
    assertThat(Modes.automatic(Optional.of("the kernel has no nftables: …")))
        .isEqualTo(
            new Modes.Chosen(
                Modes.IPTABLES,
                "mode auto takes iptables, not nftables: the kernel has no nftables: …",
                ""));
  }
}
