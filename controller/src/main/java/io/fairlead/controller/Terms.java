package io.fairlead.controller;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.lease.LeaderElector;
import io.fairlead.client.transport.ConnectionException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The controllers while this process leads, term after term.
///
/// `started` and `stopped` are called by the elector's thread. A term begins in a thread of its
/// own, because the elector must go on renewing; when the server cannot be asked, it is asked again
/// until the term ends.
final class Terms implements LeaderElector.Work {
  private static final Logger log = LoggerFactory.getLogger(Terms.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Client client;
  private final Controllers.Options options;
  // Written by the thread of the term, which is joined before another begins; read by any.
  private volatile @Nullable RunningControllers running;
  private volatile boolean leading;
  private @Nullable Thread term;

  Terms(Client client, Controllers.Options options) {
    this.client = client;
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
    running = RunningControllers.start(client, options);
    leading = true;
  }

  @Override
  public void started() {
    leading = true;
    term = Thread.ofVirtual().name("controllers-term").start(this::begin);
  }

  @Override
  public void stopped() {
    leading = false;
    Thread beginning = term;
    if (beginning != null) {
      beginning.interrupt();
      join(beginning);
    }
    RunningControllers last = running;
    running = null;
    if (last != null) {
      last.close();
    }
  }

  private void begin() {
    try {
      while (leading) {
        try {
          running = RunningControllers.start(client, options);
          return;
        } catch (ApiException | ConnectionException e) {
          log.atWarn().addKeyValue("why", e.getMessage()).log("controllers not started, retrying");
        }
        options.pacing().pacer().pause(RETRY);
      }
    } catch (InterruptedException _) {
      // The term is over.
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
