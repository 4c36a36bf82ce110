package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Pacer;
import io.fairlead.proxy.health.ProxyHealth;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Finds out at the start whether the rules of the process before are right, and keeps the note for
/// the next one up to date: a moment after changes, and now and then without any, since versions
/// grow old. One thread of its own.
final class StandingKeeper implements AutoCloseable {
  private static final Duration REST = Duration.ofSeconds(1);
  private static final long RENEW_SECONDS = 60;

  private final Standing standing;
  private final Supplier<String> mode;
  private final Watches watches;
  private final Map<IpAddress.Family, SyncLoop> loops;
  private final ProxyHealth health;
  private final Pacer pacer;
  private final String firstMode;
  private final Optional<Standing.Note> found;
  private final BlockingQueue<Boolean> news = new ArrayBlockingQueue<>(1);
  private final Thread thread;
  private Optional<Standing.Note> written = Optional.empty();

  /// @param mode the one traffic is carried in now
  /// @param loops what writes rules, complete before anything is asked
  StandingKeeper(
      Standing standing,
      Supplier<String> mode,
      Watches watches,
      Map<IpAddress.Family, SyncLoop> loops,
      ProxyHealth health,
      Pacer pacer) {
    this.standing = standing;
    this.mode = mode;
    this.watches = watches;
    this.loops = loops;
    this.health = health;
    this.pacer = pacer;
    this.firstMode = mode.get();
    this.found = standing.read();
    this.thread = Thread.ofPlatform().daemon().name("proxy-standing").unstarted(this::run);
  }

  /// Whether there is a note for the rules as they are, so that it pays to ask.
  boolean hasNote() {
    return found.isPresent();
  }

  /// Whether the rules are what the API says now, as far as it is told.
  boolean stands() throws InterruptedException {
    if (found.isEmpty()) {
      return false;
    }
    Standing.Note note = found.get();
    return note.mode().equals(firstMode)
        && note.node().equals(node())
        && note.facts().equals(facts())
        && watches.isSilentSince(note.services(), note.slices());
  }

  void start() {
    thread.start();
  }

  /// Rules were written. Never blocks.
  void tell() {
    // A full queue means that it will look anyway.
    boolean _ = news.offer(true);
  }

  private void run() {
    try {
      while (true) {
        Boolean _ = news.poll(RENEW_SECONDS, TimeUnit.SECONDS);
        pacer.pause(REST);
        news.clear();
        now()
            .filter(note -> !written.equals(Optional.of(note)))
            .ifPresent(
                note -> {
                  standing.write(note);
                  written = Optional.of(note);
                });
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// What the rules show; empty while changes wait, and when nothing would tell other rules from
  /// them later.
  private Optional<Standing.Note> now() {
    // In this order: all changes up to a version are asked for before it is told.
    String services = watches.services().version();
    String slices = watches.slices().version();
    String watermark = standing.watermark().get();
    if (!health.isCurrent()
        || watermark.isEmpty()
        || node().isEmpty()
        || !mode.get().equals(firstMode)) {
      return Optional.empty();
    }
    return Optional.of(new Standing.Note(firstMode, node(), facts(), services, slices, watermark));
  }

  private String node() {
    return watches.node().map(node -> node.metadata().uid()).orElse("");
  }

  private String facts() {
    return loops.values().stream().map(loop -> loop.facts().toString()).toList().toString();
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
