package io.fairlead.server.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.flowcontrol.PriorityLevelSpec.Queuing;
import io.fairlead.server.flowcontrol.QueuedRequest.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who gets a seat, who waits and who is refused, in made-up time.
class SeatDispatcherTest {
  private final ManualTicker ticker = new ManualTicker();

  @Test
  void aFullLevelQueuesAndTheNextSeatIsGivenInOrder() {
    Levels levels = new Levels(2, level("a", 1, 0, 0));
    QueuedRequest first = levels.come("a");
    QueuedRequest second = levels.come("a");
    QueuedRequest third = levels.come("a");
    QueuedRequest fourth = levels.come("a");
    assertThat(states(first, second, third, fourth))
        .containsExactly(State.EXECUTING, State.EXECUTING, State.WAITING, State.WAITING);
    ticker.advance(Duration.ofSeconds(1));
    levels.dispatcher.release(second);
    assertThat(states(third, fourth)).containsExactly(State.EXECUTING, State.WAITING);
    assertThat(third.waitedNanos()).isEqualTo(Duration.ofSeconds(1).toNanos());
    assertThat(levels.counts("a")).isEqualTo(new FlowCounts("a", "schema", 2, 1, 3, Map.of()));
  }

  @Test
  void aFullQueueRefuses() {
    Levels levels = new Levels(1, queued("a", 1, 0, 0, new Queuing(1, 1, 2)));
    levels.come("a");
    levels.come("a");
    levels.come("a");
    assertThat(levels.refused("a")).isEqualTo(Refusal.QUEUE_FULL);
    assertThat(levels.counts("a").refused(Refusal.QUEUE_FULL)).isOne();
  }

  @Test
  void aLevelWithoutQueuesRefusesAtOnce() {
    Levels levels = new Levels(1, queued("a", 1, 0, 0, null));
    QueuedRequest only = levels.come("a");
    assertThat(levels.refused("a")).isEqualTo(Refusal.CONCURRENCY_LIMIT);
    levels.dispatcher.release(only);
    assertThat(levels.come("a").state()).isEqualTo(State.EXECUTING);
  }

  @Test
  void anExemptLevelNeverWaits() {
    Levels levels = new Levels(1, exempt("free"), level("a", 1, 0, 0));
    QueuedRequest held = levels.come("a");
    for (int i = 0; i < 100; i++) {
      assertThat(levels.come("free").state()).isEqualTo(State.EXECUTING);
    }
    // What is exempt takes no seat of other levels.
    levels.dispatcher.release(held);
    assertThat(levels.come("a").state()).isEqualTo(State.EXECUTING);
  }

  @Test
  void whoGivesUpLeavesTheQueueAndGetsNoSeatLater() {
    Levels levels = new Levels(1, level("a", 1, 0, 0));
    QueuedRequest held = levels.come("a");
    QueuedRequest gone = levels.come("a");
    QueuedRequest next = levels.come("a");
    assertThat(levels.dispatcher.abandon(gone, Refusal.CANCELLED)).isTrue();
    assertThat(levels.dispatcher.abandon(gone, Refusal.TIME_OUT)).isTrue();
    levels.dispatcher.release(held);
    assertThat(states(gone, next)).containsExactly(State.OVER, State.EXECUTING);
    assertThat(levels.dispatcher.abandon(next, Refusal.TIME_OUT)).isFalse();
    assertThat(levels.counts("a").refused()).isEqualTo(Map.of(Refusal.CANCELLED, 1L));
    levels.dispatcher.release(next);
    levels.dispatcher.release(next);
    assertThat(levels.counts("a").executing()).isZero();
  }

  @Test
  void aLevelServesOneRequestThoughItHasNoSeats() {
    Levels levels = new Levels(4, level("none", 0, 0, 0), level("a", 1, 0, 0));
    assertThat(levels.come("none").state()).isEqualTo(State.EXECUTING);
    assertThat(levels.come("none").state()).isEqualTo(State.WAITING);
  }

  @Test
  void whatIsLentComesBackWhenItIsFreeAndWhatIsNotIsThereAtOnce() {
    // Four seats each; `rich` lends half of its own.
    Levels levels = new Levels(8, level("rich", 1, 50, 0), level("poor", 1, 0, 50));
    List<QueuedRequest> poor = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      poor.add(levels.come("poor"));
    }
    assertThat(executing(poor)).isEqualTo(6);
    List<QueuedRequest> rich = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      rich.add(levels.come("rich"));
    }
    assertThat(executing(rich)).isEqualTo(2);
    // Both wait; the owner, who is less full, gets the seats that were lent.
    levels.dispatcher.release(poor.get(0));
    levels.dispatcher.release(poor.get(1));
    assertThat(executing(rich)).isEqualTo(4);
    assertThat(executing(poor)).isEqualTo(4);
  }

  @Test
  void nobodyBorrowsMoreThanItsLimit() {
    Levels levels = new Levels(8, level("rich", 1, 100, 0), level("poor", 1, 0, 25));
    List<QueuedRequest> poor = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      poor.add(levels.come("poor"));
    }
    assertThat(executing(poor)).isEqualTo(5);
  }

  @Test
  void moreSharesLetWaitingRequestsIn() {
    Levels levels = new Levels(4, level("a", 1, 0, 0), level("b", 3, 0, 0));
    QueuedRequest held = levels.come("a");
    QueuedRequest waiting = levels.come("a");
    assertThat(states(held, waiting)).containsExactly(State.EXECUTING, State.WAITING);
    levels.configure(level("a", 3, 0, 0), level("b", 1, 0, 0));
    assertThat(waiting.state()).isEqualTo(State.EXECUTING);
  }

  @Test
  void aLevelThatIsGoneServesWhatItHas() {
    Levels levels = new Levels(2, level("a", 1, 0, 0), level("b", 1, 0, 0));
    QueuedRequest held = levels.come("a");
    QueuedRequest waiting = levels.come("a");
    levels.configure(level("b", 1, 0, 0));
    assertThat(levels.dispatcher.levels())
        .anySatisfy(
            each -> {
              assertThat(each.spec().name()).isEqualTo("a");
              assertThat(each.leaving()).isTrue();
            });
    levels.dispatcher.release(held);
    assertThat(waiting.state()).isEqualTo(State.EXECUTING);
    levels.dispatcher.release(waiting);
    levels.configure(level("b", 1, 0, 0));
    assertThat(levels.dispatcher.levels()).hasSize(1);
  }

  @Test
  void fewerQueuesAndNoneStillServeWhatWaits() {
    Levels levels = new Levels(1, queued("a", 1, 0, 0, new Queuing(64, 8, 10)));
    QueuedRequest held = levels.come("a");
    List<QueuedRequest> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiting.add(levels.come("a", i));
    }
    levels.configure(queued("a", 1, 0, 0, null));
    levels.dispatcher.release(held);
    for (int i = 0; i < 20; i++) {
      QueuedRequest next =
          waiting.stream().filter(one -> one.state() == State.EXECUTING).findFirst().orElseThrow();
      levels.dispatcher.release(next);
    }
    assertThat(waiting).allMatch(one -> one.state() == State.OVER);
  }

  /// A flow with ten times the requests, or with requests that take ten times as long, gets no more
  /// time than another.
  @ParameterizedTest
  @ValueSource(ints = {1, 10})
  void flowsGetTheSameTime(int slowness) {
    Levels levels = new Levels(1, queued("a", 1, 0, 0, new Queuing(64, 1, 2000)));
    QueuedRequest held = levels.come("a");
    Map<QueuedRequest, Integer> flows = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      flows.put(levels.come("a", 1), 1);
      flows.put(levels.come("a", 2), 2);
      if (slowness == 1 && i % 10 != 0) {
        flows.put(levels.come("a", 1), 1);
      }
    }
    levels.dispatcher.release(held);
    long[] time = new long[3];
    for (int i = 0; i < 500; i++) {
      QueuedRequest next =
          flows.keySet().stream()
              .filter(one -> one.state() == State.EXECUTING)
              .findFirst()
              .orElseThrow();
      int flow = flows.getOrDefault(next, 0);
      Duration cost = Duration.ofMillis(flow == 1 ? 10L * slowness : 10);
      time[flow] += cost.toNanos();
      ticker.advance(cost);
      levels.dispatcher.release(next);
    }
    double ratio = (double) time[1] / time[2];
    assertThat(ratio).isBetween(0.9, 1.1);
  }

  /// Whatever comes and goes: no more seats than there are, each level has what it does not lend,
  /// and nothing waits that could be served.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void seatsAreNeverOverdrawnNorIdleWhileOneWaits(long seed) {
    Random random = new Random(seed);
    Levels levels =
        new Levels(
            30, level("a", 3, 40, -1), level("b", 2, 90, 50), level("c", 1, 0, 0), exempt("free"));
    List<QueuedRequest> all = new ArrayList<>();
    for (int step = 0; step < 3000; step++) {
      ticker.advance(Duration.ofMillis(random.nextInt(20)));
      if (random.nextInt(3) > 0 || all.isEmpty()) {
        String level = List.of("a", "b", "c", "free").get(random.nextInt(4));
        QueuedRequest came = levels.tryCome(level, random.nextInt(5));
        if (came != null) {
          all.add(came);
        }
      } else {
        QueuedRequest one = all.remove(random.nextInt(all.size()));
        if (random.nextBoolean() || !levels.dispatcher.abandon(one, Refusal.TIME_OUT)) {
          if (one.state() == State.WAITING) {
            all.add(one);
          } else {
            levels.dispatcher.release(one);
          }
        }
      }
      if (step % 500 == 250) {
        levels.configure(
            level("a", 1 + random.nextInt(4), random.nextInt(100), -1),
            level("b", 2, 90, 50),
            level("c", 1, 0, 0),
            exempt("free"));
      }
      levels.checkNothingWaitsThatCouldBeServed("seed " + seed + " step " + step);
    }
    while (!all.isEmpty()) {
      QueuedRequest done =
          all.stream().filter(one -> one.state() == State.EXECUTING).findFirst().orElseThrow();
      levels.dispatcher.release(done);
      all.remove(done);
    }
    assertThat(levels.dispatcher.levels())
        .allSatisfy(
            level -> {
              assertThat(level.inUse()).isZero();
              assertThat(level.waiting()).isZero();
              assertThat(level.queues()).isEmpty();
            });
  }

  private static List<State> states(QueuedRequest... requests) {
    return List.of(requests).stream().map(QueuedRequest::state).toList();
  }

  private static long executing(List<QueuedRequest> requests) {
    return requests.stream().filter(one -> one.state() == State.EXECUTING).count();
  }

  /// @param borrowing percent, or -1 for as much as there is
  static PriorityLevelSpec level(String name, int shares, int lendable, int borrowing) {
    return queued(name, shares, lendable, borrowing, new Queuing(8, 2, 50));
  }

  private static PriorityLevelSpec queued(
      String name, int shares, int lendable, int borrowing, @Nullable Queuing queuing) {
    return new PriorityLevelSpec(
        name,
        "",
        false,
        shares,
        lendable,
        borrowing < 0 ? OptionalInt.empty() : OptionalInt.of(borrowing),
        Optional.ofNullable(queuing));
  }

  private static PriorityLevelSpec exempt(String name) {
    return new PriorityLevelSpec(name, "", true, 0, 0, OptionalInt.empty(), Optional.empty());
  }

  /// A dispatcher with a flow for each level.
  private final class Levels {
    final SeatDispatcher dispatcher;
    private final Map<String, Flow> flows = new HashMap<>();
    private boolean settled = true;

    Levels(int total, PriorityLevelSpec... specs) {
      dispatcher = new SeatDispatcher(total, ticker);
      configure(specs);
    }

    void configure(PriorityLevelSpec... specs) {
      settled = false;
      dispatcher
          .configure(List.of(specs))
          .forEach((name, level) -> flows.put(name, dispatcher.flow("schema", level)));
    }

    private Flow flow(String level) {
      return Objects.requireNonNull(flows.get(level));
    }

    QueuedRequest come(String level) {
      return come(level, 0);
    }

    QueuedRequest come(String level, long hash) {
      return Objects.requireNonNull(tryCome(level, hash), "refused");
    }

    @Nullable QueuedRequest tryCome(String level, long hash) {
      return dispatcher.arrive(flow(level), () -> hash)
              instanceof SeatDispatcher.Arrival.Accepted(QueuedRequest request)
          ? request
          : null;
    }

    Refusal refused(String level) {
      return dispatcher.arrive(flow(level), () -> 0)
              instanceof SeatDispatcher.Arrival.Refused(Refusal why)
          ? why
          : org.assertj.core.api.Assertions.fail("not refused");
    }

    FlowCounts counts(String level) {
      return dispatcher.flows().stream()
          .filter(flow -> flow.level().equals(level))
          .findFirst()
          .orElseThrow();
    }

    void checkNothingWaitsThatCouldBeServed(String when) {
      int seats = 0;
      int used = 0;
      int lent = 0;
      int toLend = 0;
      int withoutOwn = 0;
      for (SeatDispatcher.LevelCounts level : dispatcher.levels()) {
        if (level.spec().exempt()) {
          continue;
        }
        // It may serve one request all the same.
        withoutOwn += level.limits().lower() == 0 ? 1 : 0;
        SeatLimits limits = level.limits();
        seats += limits.nominal();
        used += level.inUse();
        lent += Math.max(0, level.inUse() - limits.nominal());
        toLend += Math.clamp(limits.nominal() - level.inUse(), 0, limits.lendable());
        if (level.waiting() > 0) {
          assertThat(level.inUse()).as(when).isGreaterThanOrEqualTo(Math.max(1, limits.lower()));
        }
      }
      for (SeatDispatcher.LevelCounts level : dispatcher.levels()) {
        if (level.waiting() > 0 && level.inUse() < level.limits().upper()) {
          assertThat(lent).as(when).isGreaterThanOrEqualTo(toLend);
        }
      }
      // Limits that change take no seat away from a request that has one.
      settled |= used <= seats && lent <= toLend;
      if (settled) {
        assertThat(used).as(when).isLessThanOrEqualTo(seats + withoutOwn);
      }
    }
  }
}
