package io.fairlead.ui.session;

import io.fairlead.ui.UiUser;
import java.time.Instant;
import java.util.OptionalInt;

/// One browser that is let in.
///
/// @param cookie the secret of its cookie
/// @param token the secret that requests which change something must bring
/// @param uid of the processes that may use it; empty where that cannot be told
/// @param until when it ends at the latest
public record UiSession(String cookie, String token, UiUser user, OptionalInt uid, Instant until) {
  /// Whether a header names this session's secret.
  public boolean hasToken(String given) {
    return RandomTexts.same(token, given);
  }

  /// Whether a process of that user may use what belongs to the owner. Root may; a peer whose user
  /// cannot be told may not.
  public static boolean isOpenTo(OptionalInt owner, OptionalInt other) {
    return owner.isEmpty()
        || (other.isPresent() && (other.getAsInt() == 0 || other.getAsInt() == owner.getAsInt()));
  }

  @Override
  public String toString() {
    return "UiSession[" + user.name() + "]";
  }
}
