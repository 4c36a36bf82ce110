package io.fairlead.client.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// One candidate on a virtual clock; the world acts while it pauses.
class LeaderElectorTest implements Transport {
  private static final ObjectKey KEY = new ObjectKey("kube-system", "controllers");
  private static final int LIMIT_SECONDS = 120;

  interface World {
    void at(double second);
  }

  private final FakeApi api = new FakeApi(List.of(ResourceType.LEASES));
  private final Client direct = new Client(api);
  private final List<String> log = new ArrayList<>();
  private long nanos;
  private boolean cutOff;
  private boolean broken;
  private boolean lateRenewal;
  private boolean renewalIsLate;
  private int breaksAtTheEnd;
  private int breaks;

  private void run(World world) throws InterruptedException {
    TimingSources pacing =
        new TimingSources(
            () -> nanos,
            time -> {
              nanos += time.toNanos();
              if (seconds() <= LIMIT_SECONDS) {
                world.at(seconds());
              }
            },
            new Random(7));
    LeaderElector.Work work =
        new LeaderElector.Work() {
          @Override
          public void started() {
            log.add("started " + Math.round(seconds()));
          }

          @Override
          public void stopped() {
            log.add("stopped " + Math.round(seconds()));
            lateRenewal = renewalIsLate;
            breaks = breaksAtTheEnd;
          }
        };
    try (LeaderElector elector =
        new LeaderElector(
            new Client(this),
            KEY,
            "me",
            LeaderElector.Timing.DEFAULT,
            work,
            pacing,
            () -> Instant.parse("2026-01-01T00:00:00Z").plusNanos(nanos))) {
      while (seconds() <= LIMIT_SECONDS) {
        try {
          elector.step();
        } catch (IllegalStateException _) {
          // What the loop does: it waits and calls the next step.
          nanos += Duration.ofSeconds(1).toNanos();
          world.at(seconds());
        }
      }
    }
  }

  private double seconds() {
    return nanos / 1e9;
  }

  private long secondOf(String entry) {
    return log.stream()
        .filter(line -> line.startsWith(entry))
        .mapToLong(line -> Long.parseLong(line.substring(entry.length() + 1)))
        .findFirst()
        .orElse(-1);
  }

  private LeaseRecord record() {
    return LeaseRecord.of(direct.get(ResourceType.LEASES, KEY));
  }

  private void writeAs(String holder, String renewTime, int transitions) {
    Optional<ObjectNode> found = direct.find(ResourceType.LEASES, KEY);
    ObjectNode lease = found.orElseGet(Json::object);
    Json.child(lease, "metadata").put("name", KEY.name()).put("namespace", KEY.namespace());
    new LeaseRecord(holder, 15, renewTime, renewTime, transitions).writeTo(lease);
    if (found.isPresent()) {
      direct.update(ResourceType.LEASES, lease);
    } else {
      direct.create(ResourceType.LEASES, KEY.namespace(), lease);
    }
  }

  @Test
  void aFreeLeaseIsTakenAtOnceAndGivenBackAtTheEnd() throws InterruptedException {
    run(second -> assertThat(record().holder()).isEqualTo("me"));
    assertThat(log).hasSize(2);
    assertThat(secondOf("started")).isZero();
    assertThat(record()).extracting(LeaseRecord::holder).isEqualTo("");
    assertThat(record().durationSeconds()).isEqualTo(1);
    assertThat(record().transitions()).isZero();
  }

  @Test
  void aRenewalThatArrivesAtTheEndDoesNotKeepTheLease() throws InterruptedException {
    renewalIsLate = true;
    run(_ -> {});
    assertThat(lateRenewal).isFalse();
    assertThat(record().holder()).isEmpty();
  }

  @Test
  void aConnectionThatBreaksAtTheEndDoesNotKeepTheLease() throws InterruptedException {
    breaksAtTheEnd = 1;
    run(_ -> {});
    assertThat(breaks).isZero();
    assertThat(record().holder()).isEmpty();
  }

  @Test
  void aLeaseNotRenewedInTimeIsGivenBackAtTheEndToo() throws InterruptedException {
    run(second -> cutOff = second > LIMIT_SECONDS - 20);
    assertThat(log).hasSize(2);
    assertThat(secondOf("stopped")).isLessThan(LIMIT_SECONDS);
    assertThat(record().holder()).isEmpty();
  }

  @Test
  void aSilentHolderIsReplacedAfterTheDurationByOurOwnClock() throws InterruptedException {
    // Its clock is years ahead, which must not matter.
    writeAs("other", "2036-01-01T00:00:00.000000Z", 3);
    run(_ -> {});
    assertThat(secondOf("started")).isBetween(15L, 20L);
    assertThat(record().transitions()).isEqualTo(4);
  }

  @Test
  void aHolderWithASlowClockIsNotRobbed() throws InterruptedException {
    writeAs("other", "1999-01-01T00:00:00.000000Z", 0);
    int[] renewals = {0};
    run(_ -> writeAs("other", "1999-01-01T00:00:00." + (100000 + renewals[0]++) + "Z", 0));
    assertThat(log).isEmpty();
  }

  @Test
  void whoCannotRenewStopsBeforeOthersMayBegin() throws InterruptedException {
    run(second -> cutOff = second > 30 && second < 80);
    long stopped = secondOf("stopped");
    assertThat(secondOf("started")).isZero();
    assertThat(stopped).isBetween(40L, 44L);
    assertThat(log).hasSize(4);
  }

  @Test
  void whoCannotRenewForACauseNotForeseenStopsInTimeToo() throws InterruptedException {
    run(second -> broken = second > 30 && second < 80);
    assertThat(secondOf("stopped")).isBetween(40L, 44L);
    assertThat(log).hasSize(4);
  }

  @Test
  void aLeaseTakenByAnotherEndsTheWorkAtOnce() throws InterruptedException {
    boolean[] taken = {false};
    run(
        second -> {
          if (second > 30 && !taken[0]) {
            taken[0] = true;
            writeAs("other", "2026-01-01T00:00:30.000000Z", 1);
          }
        });
    assertThat(secondOf("stopped")).isBetween(30L, 33L);
    assertThat(log.get(2)).startsWith("started");
  }

  @Test
  void timesThatCannotWorkAreRefused() {
    assertThatThrownBy(
            () ->
                new LeaderElector.Timing(
                    Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(2)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    if (lateRenewal && request.method().equals("PUT")) {
      lateRenewal = false;
      writeAs("me", "2026-01-01T00:03:00.000000Z", 0);
    }
    if (breaks > 0) {
      breaks--;
      throw new ConnectionException("broken");
    }
    if (cutOff && seconds() <= LIMIT_SECONDS) {
      throw new ConnectionException("cut off");
    }
    if (broken) {
      throw new IllegalStateException("broken");
    }
    return api.send(request);
  }

  @Override
  public LineStream stream(ApiRequest request) {
    return api.stream(request);
  }

  @Override
  public void close() {
    api.close();
  }
}
