package io.fairlead.agent.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.net.Cidr;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which address a pod gets, and how long one rests after its pod is gone.
class AddressPoolTest {
  @TempDir private Path directory;
  private long now;
  private AddressPool pool;

  @BeforeEach
  void open() {
    // .2 to .6 are for pods.
    pool = new AddressPool(directory, Cidr.parse("10.0.0.0/29"), 0, () -> now);
  }

  private String take(String holder) {
    return pool.take(holder).toString();
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void addressesAreGivenInTurn() {
    assertThat(take("a")).isEqualTo("10.0.0.2");
    pool.free("a");
    assertThat(take("b")).isEqualTo("10.0.0.3");
  }

  @Test
  void aFreedAddressRestsWhileOthersAreFree() {
    take("a");
    take("b");
    take("c");
    pool.free("a");
    assertThat(take("d")).isEqualTo("10.0.0.5");
    assertThat(take("e")).isEqualTo("10.0.0.6");
    pool.free("d");
    pass(Duration.ofSeconds(9));
    pool.free("b");
    pass(Duration.ofSeconds(1));
    assertThat(take("f")).as("rested ten seconds").isEqualTo("10.0.0.2");
    assertThat(take("g")).as("and so has this one").isEqualTo("10.0.0.5");
  }

  @Test
  void whenNoOtherIsFreeTheOneThatRestedLongestIsTaken() {
    for (String holder : new String[] {"a", "b", "c", "d", "e"}) {
      take(holder);
    }
    pool.free("c");
    pass(Duration.ofSeconds(1));
    pool.keepOnly(Set.of("b", "d", "e"), _ -> true);
    assertThat(take("f")).isEqualTo("10.0.0.4");
    assertThat(take("g")).isEqualTo("10.0.0.2");
    assertThatThrownBy(() -> take("h")).isInstanceOf(RuntimeFailure.class);
  }
}
