package io.fairlead.ui.session;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The browsers that are let in, in memory: a restart ends them all. Safe for all threads.
public final class Sessions {
  /// How long one lasts at most.
  public static final Duration LIFE = Duration.ofHours(8);

  private static final Duration IDLE = Duration.ofHours(1);
  private static final int MOST = 256;

  private final RandomTexts texts;
  private final InstantSource clock;
  // By hash of the cookie, the longest idle first. Guarded by this.
  private final Map<String, Used> sessions = new LinkedHashMap<>(64, 0.75f, true);

  public Sessions(RandomTexts texts, InstantSource clock) {
    this.texts = texts;
    this.clock = clock;
  }

  private record Used(UiSession session, Instant last) {}

  /// Lets a browser in; when there are too many, the one that was idle for longest goes.
  public synchronized UiSession open(Logins.Grant grant) {
    Instant now = clock.instant();
    Instant latest = now.plus(LIFE);
    Instant until = grant.until().filter(end -> end.isBefore(latest)).orElse(latest);
    UiSession session = new UiSession(texts.next(), texts.next(), grant.user(), grant.uid(), until);
    if (sessions.size() >= MOST) {
      sessions.remove(sessions.keySet().iterator().next());
    }
    sessions.put(RandomTexts.hash(session.cookie()), new Used(session, now));
    return session;
  }

  /// The session of a cookie, which counts as used now.
  public synchronized Optional<UiSession> find(@Nullable String cookie) {
    if (cookie == null) {
      return Optional.empty();
    }
    String key = RandomTexts.hash(cookie);
    Used used = sessions.get(key);
    if (used == null) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    if (!now.isBefore(used.session().until()) || !now.isBefore(used.last().plus(IDLE))) {
      sessions.remove(key);
      return Optional.empty();
    }
    sessions.put(key, new Used(used.session(), now));
    return Optional.of(used.session());
  }

  public synchronized void end(UiSession session) {
    sessions.remove(RandomTexts.hash(session.cookie()));
  }

  /// Ends all of them.
  public synchronized void endAll() {
    sessions.clear();
  }

  public synchronized int count() {
    return sessions.size();
  }
}
