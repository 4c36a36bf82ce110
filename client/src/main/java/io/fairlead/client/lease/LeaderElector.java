package io.fairlead.client.lease;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.work.Backoff;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Runs work only while this process holds a Lease.
///
/// Every write of the record names the version it was read in, so of two candidates one fails. A
/// holder that cannot renew in time calls `stopped`, which must not return before all work has
/// ended; that leaves the time between renew deadline and lease duration as a fence.
///
/// Owned by the thread of its loop, and after that has ended by the one that closes it.
public final class LeaderElector implements AutoCloseable {
  /// @param lease how long others wait for a silent holder
  /// @param renewDeadline how long a holder goes on without having renewed
  /// @param retry the pause between attempts
  public record Timing(Duration lease, Duration renewDeadline, Duration retry) {
    public static final Timing DEFAULT =
        new Timing(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    public Timing {
      if (lease.compareTo(renewDeadline) <= 0
          || renewDeadline.toNanos() <= (long) (1.2 * retry.toNanos())) {
        throw new IllegalArgumentException(
            "lease must be longer than renewDeadline, and that longer than 1.2 × retry");
      }
    }
  }

  /// The work.
  public interface Work {
    /// This process leads now. Must return soon.
    void started();

    /// It leads no longer. Returns when all work has ended.
    void stopped();
  }

  private static final Logger log = LoggerFactory.getLogger(LeaderElector.class);
  private static final double JITTER = 1.2;
  private static final int RELEASE_ATTEMPTS = 3;
  private static final Duration FIRST_WAIT = Duration.ofMillis(100);
  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final Client client;
  private final ObjectKey key;
  private final String identity;
  private final Timing timing;
  private final Work work;
  private final TimingSources pacing;
  private final InstantSource clock;
  private final Election election;
  private final SupervisedLoop loop;
  private boolean leading;
  private boolean mayHold;
  private long renewed;

  /// @param identity unique among the candidates, such as host name and a random part
  public LeaderElector(
      Client client,
      ObjectKey key,
      String identity,
      Timing timing,
      Work work,
      TimingSources pacing,
      InstantSource clock) {
    this.client = client;
    this.key = key;
    this.identity = identity;
    this.timing = timing;
    this.work = work;
    this.pacing = pacing;
    this.clock = clock;
    this.election = new Election(identity);
    this.loop =
        SupervisedLoop.of("leader-election")
            .key(key)
            .backoff(new Backoff(FIRST_WAIT, timing.retry()))
            .build(this::step);
  }

  /// Competes, leads, and competes again, until closed. Once only.
  public void start() {
    loop.start();
  }

  /// Ends the competition. When this process leads, ends its work; then gives the lease back if it
  /// may still hold it, also one that it could not renew in time. On the calling thread.
  /// Idempotent.
  @Override
  public void close() {
    loop.close();
    if (leading) {
      follow();
    }
    if (mayHold) {
      mayHold = false;
      release();
    }
  }

  /// One attempt at the lease, what follows from it, and the pause after it.
  void step() throws InterruptedException {
    Optional<Boolean> holds = Optional.empty();
    try {
      holds = attempt();
    } finally {
      // Also after a failure: a holder that cannot renew, whatever the cause, must stop in time.
      settle(holds);
    }
    pause();
  }

  private void settle(Optional<Boolean> holds) {
    long now = pacing.ticker().nanos();
    if (holds.isPresent() && holds.get()) {
      renewed = now;
      lead();
    } else if (leading
        && (holds.isPresent() || now - renewed >= timing.renewDeadline().toNanos())) {
      log.atWarn().addKeyValue("lease", key).log("leadership lost");
      follow();
    }
  }

  /// Whether the lease is ours after this attempt; empty when that could not be learnt.
  private Optional<Boolean> attempt() {
    try {
      Optional<ObjectNode> found = client.find(ResourceType.LEASES, key);
      Optional<LeaseRecord> current = found.map(LeaseRecord::of);
      Election.Step step = election.next(current, pacing.ticker().nanos());
      if (step == Election.Step.WAIT) {
        return Optional.of(false);
      }
      String time = MICRO_TIME.format(clock.instant());
      ObjectNode lease = found.map(ObjectNode::deepCopy).orElseGet(this::fresh);
      election.record(step, current, (int) timing.lease().toSeconds(), time).writeTo(lease);
      mayHold = true;
      if (found.isEmpty()) {
        client.create(ResourceType.LEASES, key.namespace(), lease);
      } else {
        client.update(ResourceType.LEASES, lease);
      }
      return Optional.of(true);
    } catch (ApiException | ConnectionException e) {
      // A conflict too: another candidate wrote in between, and the next attempt reads its record.
      log.atDebug().addKeyValue("lease", key).setCause(e).log("lease not written");
      return Optional.empty();
    }
  }

  private ObjectNode fresh() {
    ObjectNode lease =
        Json.object()
            .put("kind", ResourceType.LEASES.kind())
            .put("apiVersion", ResourceType.LEASES.apiVersion());
    lease.putObject("metadata").put("namespace", key.namespace()).put("name", key.name());
    return lease;
  }

  private void lead() {
    if (!leading) {
      log.atInfo().addKeyValue("lease", key).addKeyValue("identity", identity).log("leading");
      work.started();
      leading = true;
    }
  }

  private void follow() {
    leading = false;
    work.stopped();
  }

  /// Lets the next candidate in after a second instead of the whole duration. A renewal that was on
  /// its way when the loop ended can come between reading and writing, or leave a broken connection
  /// behind: then both are repeated.
  private void release() {
    boolean done = false;
    for (int attempt = 0; !done && attempt < RELEASE_ATTEMPTS; attempt++) {
      done = released();
    }
  }

  /// False when another writer came in between, or the connection broke.
  private boolean released() {
    try {
      ObjectNode lease = client.get(ResourceType.LEASES, key);
      LeaseRecord record = LeaseRecord.of(lease);
      if (record.holder().equals(identity)) {
        String time = MICRO_TIME.format(clock.instant());
        new LeaseRecord("", 1, record.acquireTime(), time, record.transitions()).writeTo(lease);
        client.update(ResourceType.LEASES, lease);
      }
      return true;
    } catch (ApiException | ConnectionException e) {
      log.atDebug().addKeyValue("lease", key).setCause(e).log("lease not released");
      return e instanceof ApiException refused && !ApiErrors.isConflict(refused);
    }
  }

  private void pause() throws InterruptedException {
    double stretch = leading ? 1 : 1 + JITTER * pacing.random().nextDouble();
    pacing.pacer().pause(Duration.ofNanos((long) (timing.retry().toNanos() * stretch)));
  }
}
