package io.fairlead.proxy.flows;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Protocol;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Function;

/// Tries rows of the flow table with real packets.
public final class LiveFlows {
  private static final Duration PATIENT = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(400);
  private static final int STICKY_TRIES = 10;
  private static final int TRIES = 200;

  private final Lab lab;
  private final Fixture fixture;
  private final Function<Flow, ExpectedOutcome> verdicts;

  /// @param verdicts what the mode under test shall do with a row
  public LiveFlows(Lab lab, Fixture fixture, Function<Flow, ExpectedOutcome> verdicts) {
    this.lab = lab;
    this.fixture = fixture;
    this.verdicts = verdicts;
  }

  /// Calls as often as it takes to see every endpoint, and checks each answer.
  public void check(Flow flow) {
    switch (verdicts.apply(flow)) {
      case ExpectedOutcome.Rejected() ->
          assertThat(call(flow, PATIENT)).isIn(new Attempt.Refused(), stopped(flow));
      case ExpectedOutcome.Dropped() ->
          assertThat(call(flow, SHORT)).isIn(new Attempt.Unanswered(), stopped(flow));
      case ExpectedOutcome.NotHandled() ->
          assertThat(call(flow, SHORT)).isNotInstanceOf(Attempt.Reached.class);
      case ExpectedOutcome.Reaches reaches -> reaches(flow, reaches);
    }
  }

  /// A datagram of the node itself meets rules while it is sent.
  private Attempt stopped(Flow flow) {
    boolean datagramOfNode =
        flow.from() == Origin.NODE && fixture.protocol(flow.to()) == Protocol.UDP;
    return datagramOfNode
        ? new Attempt.Stopped()
        : verdicts.apply(flow) instanceof ExpectedOutcome.Rejected
            ? new Attempt.Refused()
            : new Attempt.Unanswered();
  }

  /// Starts checking many rows side by side; each future is done when its row holds.
  public Map<Flow, Future<?>> checkAll(List<Flow> flows, ExecutorService executor) {
    Map<Flow, Future<?>> running = new LinkedHashMap<>();
    flows.forEach(flow -> running.put(flow, executor.submit(() -> check(flow))));
    return running;
  }

  private void reaches(Flow flow, ExpectedOutcome.Reaches expected) {
    Set<String> seen = new HashSet<>();
    int tries = expected.sticky() ? STICKY_TRIES : TRIES;
    for (int i = 0; i < tries && (expected.sticky() || !seen.equals(expected.endpoints())); i++) {
      Attempt attempt = call(flow, PATIENT);
      assertThat(attempt).isInstanceOf(Attempt.Reached.class);
      Attempt.Reached reached = (Attempt.Reached) attempt;
      assertThat(reached.port()).isEqualTo(expected.targetPort());
      assertThat(expected.endpoints()).contains(reached.pod());
      IpAddress source = fixture.source(flow.from());
      if (expected.masqueraded()) {
        assertThat(reached.seen()).isNotEqualTo(source);
      } else {
        assertThat(reached.seen()).isEqualTo(source);
      }
      seen.add(reached.pod());
    }
    if (expected.sticky()) {
      assertThat(seen).hasSize(1);
    } else {
      assertThat(seen).isEqualTo(expected.endpoints());
    }
  }

  private Attempt call(Flow flow, Duration limit) {
    return lab.call(
        flow.from(),
        fixture.source(flow.from()),
        fixture.address(flow.to()),
        fixture.port(flow.to()),
        fixture.protocol(flow.to()),
        limit);
  }
}
