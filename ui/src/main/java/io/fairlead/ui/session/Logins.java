package io.fairlead.ui.session;

import io.fairlead.ui.UiUser;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// One-time codes: `fairlead ui` gets one as a user, a browser trades it for a session.
///
/// How it works: a code counts once and for a minute; only its hash is kept. Five wrong ones within
/// a minute close logins for a minute, so that guessing is hopeless. Safe for all threads.
public final class Logins {
  /// How long a code counts.
  public static final Duration LIFE = Duration.ofSeconds(60);

  private static final int MOST_CODES = 64;
  private static final int MOST_PER_USER = 10;
  private static final int MOST_WRONG = 5;

  private final RandomTexts texts;
  private final InstantSource clock;
  // Guarded by this, like all below.
  private final Map<String, Issued> codes = new LinkedHashMap<>();
  private final Map<String, Deque<Instant>> issuedTo = new HashMap<>();
  private final Deque<Instant> wrong = new ArrayDeque<>();
  private Instant closedUntil = Instant.EPOCH;

  public Logins(RandomTexts texts, InstantSource clock) {
    this.texts = texts;
    this.clock = clock;
  }

  private record Issued(Grant grant, Instant until) {}

  /// What a code opens.
  ///
  /// @param uid of the process that asked for it; empty where that cannot be told
  /// @param until when the user's credential ends; empty when it has no end
  public record Grant(UiUser user, OptionalInt uid, Optional<Instant> until) {
    /// Of a credential whose end is not known.
    public Grant(UiUser user, OptionalInt uid) {
      this(user, uid, Optional.empty());
    }
  }

  /// A new code; empty when this user has had too many in the last minute, or all users together.
  public synchronized Optional<String> issue(Grant grant) {
    Instant now = clock.instant();
    codes.values().removeIf(issued -> !now.isBefore(issued.until()));
    issuedTo.values().removeIf(times -> isEmptyAfter(times, now));
    Deque<Instant> recent = issuedTo.computeIfAbsent(grant.user().name(), _ -> new ArrayDeque<>());
    if (codes.size() >= MOST_CODES || recent.size() >= MOST_PER_USER) {
      return Optional.empty();
    }
    String code = texts.next();
    codes.put(RandomTexts.hash(code), new Issued(grant, now.plus(LIFE)));
    recent.add(now);
    return Optional.of(code);
  }

  private static boolean isEmptyAfter(Deque<Instant> times, Instant now) {
    for (Iterator<Instant> each = times.iterator(); each.hasNext(); ) {
      if (!now.isBefore(each.next().plus(LIFE))) {
        each.remove();
      }
    }
    return times.isEmpty();
  }

  /// Trades a code in; empty for one that is wrong, used or old, and while logins are closed.
  public synchronized Optional<Grant> trade(String code) {
    Instant now = clock.instant();
    if (now.isBefore(closedUntil)) {
      return Optional.empty();
    }
    Issued issued = codes.remove(RandomTexts.hash(code));
    if (issued != null && now.isBefore(issued.until())) {
      return Optional.of(issued.grant());
    }
    boolean _ = isEmptyAfter(wrong, now);
    wrong.add(now);
    if (wrong.size() >= MOST_WRONG) {
      closedUntil = now.plus(LIFE);
      wrong.clear();
    }
    return Optional.empty();
  }
}
