package io.fairlead.proxy.announce;

import static io.fairlead.proxy.announce.HolderCertainty.State.IN_DOUBT;
import static io.fairlead.proxy.announce.HolderCertainty.State.OFF;
import static io.fairlead.proxy.announce.HolderCertainty.State.SURE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// When a holder may answer, LV54 to LV56 of spec/loadbalancer.md.
class HolderCertaintyTest {
  private final HolderCertainty holder = new HolderCertainty(Duration.ofMillis(1200));

  private static long ms(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  @Test
  void beforeTheFirstRenewalItDoesNotAnswer() {
    assertThat(holder.at(ms(0))).isEqualTo(OFF);
    holder.probed(ms(10));
    assertThat(holder.at(ms(20))).isEqualTo(OFF);
  }

  @Test
  void aRenewalCountsFromTheBeginningOfItsRequest() {
    holder.renewed(ms(0));
    assertThat(holder.at(ms(1199))).isEqualTo(SURE);
    assertThat(holder.at(ms(1200))).isEqualTo(IN_DOUBT);
    holder.renewed(ms(1100));
    assertThat(holder.at(ms(2299))).isEqualTo(SURE);
  }

  @Test
  void lv54WithoutTheApiItGoesOnWhileItAsks() {
    holder.renewed(ms(0));
    for (long now = 1200; now < 600_000; now += 500) {
      holder.probed(ms(now));
      assertThat(holder.at(ms(now + 499))).isEqualTo(IN_DOUBT);
    }
  }

  @Test
  void lv55CutOffAloneItYieldsToItsSuccessor() {
    holder.renewed(ms(0));
    holder.probed(ms(1200));
    assertThat(holder.at(ms(1500))).isEqualTo(IN_DOUBT);
    holder.heardAnother(ms(1510));
    assertThat(holder.at(ms(1511))).isEqualTo(OFF);
    holder.probed(ms(1700));
    assertThat(holder.at(ms(1701))).as("asking alone does not bring it back").isEqualTo(OFF);
    holder.renewed(ms(5000));
    assertThat(holder.at(ms(5001))).isEqualTo(SURE);
  }

  @Test
  void lv56AFrozenOneAnswersNothingUntilItKnows() {
    holder.renewed(ms(0));
    holder.probed(ms(1300));
    assertThat(holder.at(ms(11_300))).isEqualTo(OFF);
    holder.probed(ms(11_301));
    assertThat(holder.at(ms(11_302))).isEqualTo(OFF);
  }

  @Test
  void aClaimHeardWhileSureChangesNothing() {
    holder.renewed(ms(0));
    holder.heardAnother(ms(100));
    assertThat(holder.at(ms(200))).isEqualTo(SURE);
  }
}
