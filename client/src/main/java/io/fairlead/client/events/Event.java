package io.fairlead.client.events;

import io.fairlead.client.ObjectRef;

/// One thing worth telling about one object.
///
/// @param reason one CamelCase word for programs
/// @param message a sentence for people
/// @param warning something is wrong, or just news
public record Event(ObjectRef about, boolean warning, String reason, String message) {
  public static Event normal(ObjectRef about, String reason, String message) {
    return new Event(about, false, reason, message);
  }

  public static Event warning(ObjectRef about, String reason, String message) {
    return new Event(about, true, reason, message);
  }

  String uid() {
    return about.uid();
  }

  Event withMessage(String other) {
    return new Event(about, warning, reason, other);
  }

  /// All combined events of one kind count as one, whatever they say.
  Event withoutCombinedMessage() {
    return message.startsWith(EventCorrelator.COMBINED) ? withMessage("\0combined") : this;
  }
}
