package io.fairlead.controller;

import io.fairlead.client.Client;
import io.fairlead.client.lease.LeaderElector;
import io.fairlead.work.Backoff;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The controllers while this process leads, term after term.
///
/// The elector calls `started` and `stopped`. A loop of its own begins the term, because the
/// elector must go on renewing: it tries every second until the controllers run or the term ends.
final class LeaderTerms implements LeaderElector.Work {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Client client;
  private final ControllerAccounts accounts;
  private final Controllers.Options options;
  // Written by the loop of the term, which is closed before another begins; read by any thread.
  private volatile @Nullable RunningControllers running;
  private volatile boolean leading;
  // Set before the loop starts, which reads it.
  private volatile @Nullable SupervisedLoop term;

  LeaderTerms(Client client, ControllerAccounts accounts, Controllers.Options options) {
    this.client = client;
    this.accounts = accounts;
    this.options = options;
  }

  boolean leading() {
    return leading;
  }

  /// What runs now; null between terms and while one begins.
  @Nullable RunningControllers running() {
    return running;
  }

  /// Begins the only term there is, on the calling thread; a failure is the caller's.
  void startNow() {
    running = RunningControllers.start(client, accounts, options);
    leading = true;
  }

  @Override
  public void started() {
    leading = true;
    SupervisedLoop beginning =
        SupervisedLoop.of("leader-term").backoff(new Backoff(RETRY, RETRY)).build(this::begin);
    term = beginning;
    beginning.start();
  }

  @Override
  public void stopped() {
    leading = false;
    SupervisedLoop beginning = term;
    if (beginning != null) {
      beginning.close();
    }
    RunningControllers last = running;
    running = null;
    if (last != null) {
      last.close();
    }
  }

  private void begin() {
    running = RunningControllers.start(client, accounts, options);
    SupervisedLoop beginning = term;
    if (beginning != null) {
      beginning.finish();
    }
  }
}
