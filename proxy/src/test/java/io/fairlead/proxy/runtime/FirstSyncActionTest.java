package io.fairlead.proxy.runtime;

import static io.fairlead.api.net.IpAddress.Family.IPV4;
import static io.fairlead.api.net.IpAddress.Family.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FirstSyncActionTest {
  private final AtomicInteger runs = new AtomicInteger();
  private final FirstSyncAction rules =
      new FirstSyncAction(Set.of(IPV4, IPV6), runs::incrementAndGet);

  @Test
  void waitsForEveryFamilyAndRunsOnce() {
    rules.tried(IPV6, true);
    assertThat(runs).hasValue(0);
    rules.tried(IPV4, true);
    assertThat(runs).hasValue(1);
    rules.tried(IPV4, true);
    rules.tried(IPV6, true);
    assertThat(runs).hasValue(1);
  }

  @Test
  void aFamilyThatFailedIsNotWaitedFor() {
    rules.tried(IPV4, true);
    rules.tried(IPV6, false);
    assertThat(runs).hasValue(1);
  }

  @Test
  void withoutAnyRulesNothingRuns() {
    rules.tried(IPV4, false);
    rules.tried(IPV6, false);
    assertThat(runs).hasValue(0);
    rules.tried(IPV4, true);
    assertThat(runs).hasValue(1);
  }

  @Test
  void whatWasForgottenDoesNotRun() {
    rules.forgetOrAwait();
    rules.tried(IPV4, true);
    rules.tried(IPV6, true);
    assertThat(runs).hasValue(0);
  }
}
