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

  Event withMessage(String other) {
    return new Event(about, warning, reason, other);
  }

  /// All events about one object have it in common.
  Mark markOfSubject() {
    return Mark.of(about.uid());
  }

  /// All events of one kind about one object have it in common, whatever they say.
  Mark markOfKind() {
    return marked("");
  }

  /// Equal events have it in common; combined ones of one kind count as equal.
  Mark mark() {
    return marked(message.startsWith(EventCorrelator.COMBINED) ? "combined" : "says " + message);
  }

  private Mark marked(String last) {
    return Mark.of(
        about.type().toString(),
        about.key().namespace(),
        about.key().name(),
        about.uid(),
        Boolean.toString(warning),
        reason,
        last);
  }
}
