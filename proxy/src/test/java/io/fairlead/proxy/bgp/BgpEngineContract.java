package io.fairlead.proxy.bgp;

import static io.fairlead.proxy.bgp.BgpTestSessions.configuration;
import static io.fairlead.proxy.bgp.BgpTestSessions.routes;
import static io.fairlead.proxy.bgp.BgpTestSessions.session;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.Cidr;
import java.time.Duration;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

/// What every engine does. The router `tor-1` at 192.168.77.1 is there and wants the password
/// `right`.
abstract class BgpEngineContract {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final String TOR_1 =
      "name: tor-1, address: 192.168.77.1, password: kube-system/fairlead-bgp";
  private static final String TOR_2 = "name: tor-2, address: 192.168.77.2, bfd: false";

  /// Another one for each test.
  abstract BgpEngine engine();

  /// What the router has of this node.
  abstract SortedSet<Cidr> heard();

  private static BgpSession signed(String password, String... routes) {
    return session(TOR_1, routes).signed(new BgpPassword(password));
  }

  private boolean isUp(String peer) {
    return engine().states().stream().anyMatch(state -> state.peer().equals(peer) && state.isUp());
  }

  @Test
  void aRouterHearsOfRoutesAndOfTheirEnd() {
    assertThat(engine().isActive()).isFalse();
    assertThat(engine().states()).isEmpty();
    engine().apply(configuration(signed("right", "10.77.0.1/32", "10.78.0.0/24")));
    assertThat(engine().isActive()).isTrue();
    await().atMost(LIMIT).until(this::heard, routes("10.77.0.1/32", "10.78.0.0/24")::equals);
    await().atMost(LIMIT).until(() -> isUp("tor-1"));
    engine().apply(configuration(signed("right", "10.78.0.0/24")));
    await().atMost(LIMIT).until(this::heard, routes("10.78.0.0/24")::equals);
    assertThat(isUp("tor-1")).isTrue();
    engine().apply(BgpConfiguration.NONE);
    await().atMost(LIMIT).until(() -> heard().isEmpty());
    assertThat(engine().isActive()).isFalse();
    assertThat(engine().states()).isEmpty();
  }

  @Test
  void aSessionThatDoesNotComeUpHarmsNoOther() {
    engine().apply(configuration(signed("right", "10.77.0.1/32"), session(TOR_2, "10.77.0.1/32")));
    await().atMost(LIMIT).until(() -> isUp("tor-1"));
    assertThat(engine().states())
        .extracting(BgpSessionState::peer)
        .containsExactlyInAnyOrder("tor-1", "tor-2");
    assertThat(isUp("tor-2")).isFalse();
    await().atMost(LIMIT).until(this::heard, routes("10.77.0.1/32")::equals);
  }

  @Test
  void closingWithdrawsEverythingAndMayBeDoneTwice() {
    engine().apply(configuration(signed("right", "10.77.0.1/32")));
    await().atMost(LIMIT).until(this::heard, routes("10.77.0.1/32")::equals);
    engine().close();
    await().atMost(LIMIT).until(() -> heard().isEmpty());
    engine().close();
  }
}
