package io.fairlead.insight.nodrop;

import java.time.Instant;
import java.util.Locale;

/// A connection that failed.
///
/// @param at when the failure was seen
/// @param place where the client was
/// @param localPort of the client; 0 when it had none yet
/// @param afterMillis how long after it was begun, or after its last answer
/// @param endpoint where the rules sent it, `10.244.1.7:9376`; empty when that is not known
/// @param established whether it had been answered before
public record ConnectionLoss(
    Instant at,
    String place,
    int localPort,
    How how,
    long afterMillis,
    String endpoint,
    boolean established) {

  /// The ways a connection fails.
  public enum How {
    REFUSED,
    RESET,
    TIMEOUT,
    OTHER;

    /// The word in documents.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
