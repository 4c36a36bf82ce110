package io.fairlead.proxy.runtime;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.changes.RecordedChange;
import io.fairlead.api.changes.TextLimits;
import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.ApplyResult;
import io.fairlead.proxy.core.ForeignWriter;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.tracking.PlanUpdate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.TreeSet;

/// Records what a proxy did to its rules and what others did to them. Safe for many threads; adding
/// never blocks.
final class SyncRecorder {
  private static final int MOST_SERVICES = 50;

  private final ChangeRing ring;
  private final InstantSource clock;

  SyncRecorder(ChangeRing ring, InstantSource clock) {
    this.ring = ring;
    this.clock = clock;
  }

  ChangeRing ring() {
    return ring;
  }

  void started(ProxyMode mode) {
    ring.add(new RecordedChange("start", clock.instant(), out -> out.put("mode", mode.toString())));
  }

  void stopped(ProxyMode mode) {
    ring.add(new RecordedChange("stop", clock.instant(), out -> out.put("mode", mode.toString())));
  }

  void changedMode(ProxyMode from, ProxyMode to) {
    ring.add(
        new RecordedChange(
            "mode",
            clock.instant(),
            out -> out.put("from", from.toString()).put("to", to.toString())));
  }

  /// Rules follow a new plan.
  ///
  /// @param received when the first change that is in it arrived; empty when nothing waited
  void applied(
      IpAddress.Family family,
      PlanUpdate update,
      PlanDiff change,
      ApplyResult applied,
      Duration took,
      Optional<Instant> received) {
    // What is kept must not hold on to the plan.
    TreeSet<String> services = new TreeSet<>();
    change.added().forEach(each -> services.add(each.name().service().toString()));
    change.changed().forEach(each -> services.add(each.after().name().service().toString()));
    change.removed().forEach(each -> services.add(each.name().service().toString()));
    String servicesVersion = update.services();
    String slicesVersion = update.slices();
    int writes = applied.writes();
    boolean full = applied.full();
    ring.add(
        new RecordedChange(
            "rules",
            clock.instant(),
            out -> {
              out.put("family", family.toString());
              TextLimits.list(out, "services", services, MOST_SERVICES);
              out.put("servicesVersion", servicesVersion).put("slicesVersion", slicesVersion);
              received.ifPresent(at -> out.put("received", at.toString()));
              out.put("tookMillis", took.toMillis()).put("writes", writes).put("full", full);
            }));
  }

  /// Rules were not written.
  void failed(IpAddress.Family family, String why) {
    ring.add(
        new RecordedChange(
            "rules",
            clock.instant(),
            out -> out.put("family", family.toString()).put("failure", TextLimits.cut(why))));
  }

  /// What another program changed was put right again.
  ///
  /// @param noticed when
  void repaired(
      IpAddress.Family family, Instant noticed, int writes, Optional<ForeignWriter> writer) {
    Instant now = clock.instant();
    ring.add(
        new RecordedChange(
            "drift",
            noticed,
            out -> {
              out.put("family", family.toString())
                  .put("repairedMillis", Math.max(0, Duration.between(noticed, now).toMillis()))
                  .put("writes", writes);
              writer.ifPresent(
                  who -> out.put("process", TextLimits.cut(who.process())).put("pid", who.pid()));
            }));
  }
}
