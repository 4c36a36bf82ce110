package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.monitoring.ProxyHealth;
import io.fairlead.work.Pacer;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Finds out at the start whether the rules of the process before are right, and keeps the
/// checkpoint for the next one up to date: a moment after changes, and now and then without any,
/// since versions grow old. The loop `proxy-checkpoint` writes.
final class CheckpointWriter implements AutoCloseable {
  private static final Duration REST = Duration.ofSeconds(1);
  private static final Duration RENEW = Duration.ofSeconds(60);

  private final RestartCheckpoint file;
  private final Supplier<ProxyMode> mode;
  private final ProxyInformers informers;
  private final Map<IpAddress.Family, FamilyReconciler> reconcilers;
  private final ProxyHealth health;
  private final Pacer pacer;
  private final ProxyMode firstMode;
  private final Optional<RestartCheckpoint.Contents> found;
  private final SupervisedLoop loop;
  // Owned by the loop's thread.
  private Optional<RestartCheckpoint.Contents> written = Optional.empty();

  /// @param mode the one traffic is carried in now
  /// @param reconcilers what writes rules, complete before any method is called
  CheckpointWriter(
      RestartCheckpoint file,
      Supplier<ProxyMode> mode,
      ProxyInformers informers,
      Map<IpAddress.Family, FamilyReconciler> reconcilers,
      ProxyHealth health,
      Pacer pacer) {
    this.file = file;
    this.mode = mode;
    this.informers = informers;
    this.reconcilers = reconcilers;
    this.health = health;
    this.pacer = pacer;
    this.firstMode = mode.get();
    this.found = file.read();
    // Asks the kernel by native calls: not for a virtual thread.
    this.loop =
        SupervisedLoop.of("proxy-checkpoint").platform().afterEach(RENEW).build(this::write);
  }

  /// Whether there is a checkpoint for the rules as they are, so that it pays to ask the API.
  boolean hasNote() {
    return found.isPresent();
  }

  /// Whether the rules show what the API holds now.
  boolean rulesAreCurrent() throws InterruptedException {
    if (found.isEmpty()) {
      return false;
    }
    RestartCheckpoint.Contents note = found.get();
    return note.mode().equals(firstMode.toString())
        && note.node().equals(node())
        && note.facts().equals(facts())
        && informers.isSilentSince(note.services(), note.slices());
  }

  void start() {
    loop.start();
  }

  /// Rules were written. Never blocks.
  void rulesWritten() {
    loop.wake();
  }

  private void write() throws InterruptedException {
    pacer.pause(REST);
    Optional<RestartCheckpoint.Contents> now = now();
    if (now.isPresent() && !now.equals(written)) {
      file.write(now.get());
      written = now;
    }
  }

  /// What the rules show; empty while changes wait, and where a later change of the rules could not
  /// be noticed.
  private Optional<RestartCheckpoint.Contents> now() {
    // In this order: a version is read before the changes up to it are requested.
    String services = informers.services().version();
    String slices = informers.slices().version();
    String watermark = file.watermark().get();
    if (!health.isCurrent() || watermark.isEmpty() || node().isEmpty() || mode.get() != firstMode) {
      return Optional.empty();
    }
    return Optional.of(
        new RestartCheckpoint.Contents(
            firstMode.toString(), node(), facts(), services, slices, watermark));
  }

  private String node() {
    return informers.node().map(node -> node.metadata().uid()).orElse("");
  }

  private String facts() {
    return reconcilers.values().stream()
        .map(each -> each.written().node().toString())
        .toList()
        .toString();
  }

  @Override
  public void close() {
    loop.close();
  }
}
