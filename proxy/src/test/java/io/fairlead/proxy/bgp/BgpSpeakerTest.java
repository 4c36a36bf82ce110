package io.fairlead.proxy.bgp;

import static io.fairlead.proxy.bgp.BgpTestSessions.configuration;
import static io.fairlead.proxy.bgp.BgpTestSessions.routes;
import static io.fairlead.proxy.bgp.BgpTestSessions.session;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.proxy.testing.FakeBgpEngine;
import io.fairlead.work.LoopFaults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What happens between a plan and its engine, with a clock and routers of the test's own.
class BgpSpeakerTest {
  private static final String TOR_1 = "name: tor-1, address: 192.168.77.1";
  private static final String TOR_2 =
      "name: tor-2, address: 192.168.77.2, password: kube-system/fairlead-bgp";
  private static final BgpSessionState UP_1 = new BgpSessionState("tor-1", "Established", "");
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final FakeBgpEngine engine = new FakeBgpEngine();
  private final Map<String, String> secrets = new ConcurrentHashMap<>();
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong now = new AtomicLong(Duration.ofHours(1).toNanos());
  private final BgpSpeaker speaker =
      new BgpSpeaker(
          engine,
          secret -> Optional.ofNullable(secrets.get(secret)).flatMap(BgpPassword::of),
          new BgpSpeaker.SessionListener() {
            @Override
            public void up(BgpSession session) {
              told.add("up " + session.name());
            }

            @Override
            public void down(BgpSession session, BgpSessionState state) {
              told.add("down " + session.name() + " " + state);
            }
          },
          now::get,
          Duration.ofMillis(2));

  @AfterEach
  void close() {
    speaker.close();
  }

  /// Shows it and waits until the loop has said it.
  private void show(BgpConfiguration configuration) {
    int before = engine.applied();
    speaker.show(configuration);
    await().atMost(LIMIT).until(() -> engine.applied() > before);
  }

  private void awaitTold(String... all) {
    await().atMost(LIMIT).until(() -> told.equals(List.of(all)));
  }

  @Test
  void routesReachTheRouterAndAreWithdrawn() {
    engine.router("tor-1", Optional.empty());
    show(configuration(session(TOR_1, "10.77.0.1/32")));
    awaitTold("up tor-1");
    assertThat(engine.routes("tor-1")).isEqualTo(routes("10.77.0.1/32"));
    show(configuration(session(TOR_1)));
    assertThat(engine.routes("tor-1")).isEmpty();
    assertThat(speaker.states()).containsEntry("tor-1", UP_1);
  }

  @Test
  void whatIsTheSameIsAppliedOnce() {
    engine.router("tor-1", Optional.empty());
    show(configuration(session(TOR_1, "10.77.0.1/32")));
    speaker.show(configuration(session(TOR_1, "10.77.0.1/32")));
    awaitTold("up tor-1");
    assertThat(engine.applied()).isEqualTo(1);
  }

  @Test
  void lv66ASessionWithoutItsPasswordHarmsNoOther() {
    engine.router("tor-1", Optional.empty());
    engine.router("tor-2", Optional.of(new BgpPassword("right")));
    BgpConfiguration both = configuration(session(TOR_1), session(TOR_2, "10.77.0.1/32"));
    show(both);
    awaitTold("up tor-1");
    assertThat(speaker.states().get("tor-2"))
        .hasToString("Idle, \"no password in Secret kube-system/fairlead-bgp\"");
    now.addAndGet(BgpSpeaker.PATIENCE.toNanos());
    awaitTold("up tor-1", "down tor-2 Idle, \"no password in Secret kube-system/fairlead-bgp\"");
    secrets.put("kube-system/fairlead-bgp", "right");
    await().atMost(LIMIT).until(() -> told.contains("up tor-2"));
    assertThat(engine.routes("tor-2")).isEqualTo(routes("10.77.0.1/32"));
  }

  @Test
  void aChangedPasswordIsReadAgain() {
    engine.router("tor-2", Optional.of(new BgpPassword("new")));
    secrets.put("kube-system/fairlead-bgp", "old");
    show(configuration(session(TOR_2)));
    assertThat(told).isEmpty();
    secrets.put("kube-system/fairlead-bgp", "new");
    now.addAndGet(BgpSpeaker.READ_AGAIN.toNanos());
    await().atMost(LIMIT).until(() -> told.contains("up tor-2"));
  }

  @Test
  void aSessionThatBeginsIsNotToldAsDownAtOnce() {
    show(configuration(session(TOR_1)));
    await().atMost(LIMIT).until(() -> speaker.states().containsKey("tor-1"));
    assertThat(told).isEmpty();
    now.addAndGet(BgpSpeaker.PATIENCE.toNanos());
    awaitTold("down tor-1 Connect, \"Connection refused\"");
    engine.router("tor-1", Optional.empty());
    awaitTold("down tor-1 Connect, \"Connection refused\"", "up tor-1");
    engine.routerGone("tor-1");
    awaitTold(
        "down tor-1 Connect, \"Connection refused\"",
        "up tor-1",
        "down tor-1 Connect, \"Connection refused\"");
  }

  @Test
  void anEngineThatFailsIsTriedAgainAndTheReasonIsShown() {
    engine.fail("bird is not installed: install the package bird2");
    speaker.show(configuration(session(TOR_1, "10.77.0.1/32")));
    await()
        .atMost(LIMIT)
        .until(
            () ->
                speaker.states().values().stream()
                    .anyMatch(state -> state.reason().contains("bird2")));
    engine.router("tor-1", Optional.empty());
    engine.fail("");
    await().atMost(LIMIT).until(() -> !engine.routes("tor-1").isEmpty());
  }

  @Test
  void theLoopGoesOnAfterAFailureNothingExpects() {
    engine.router("tor-1", Optional.empty());
    show(configuration(session(TOR_1, "10.77.0.1/32")));
    assertThat(LoopFaults.failOnce(BgpSpeaker.LOOP)).isPositive();
    show(configuration(session(TOR_1, "10.77.0.2/32")));
    assertThat(engine.routes("tor-1")).isEqualTo(routes("10.77.0.2/32"));
  }

  @Test
  void closingWithdrawsEverything() {
    engine.router("tor-1", Optional.empty());
    show(configuration(session(TOR_1, "10.77.0.1/32")));
    speaker.close();
    assertThat(engine.routes("tor-1")).isEmpty();
  }
}
