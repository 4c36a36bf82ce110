package io.fairlead.client.events;

import io.fairlead.client.ObjectRef;

/// One thing worth telling about one object.
///
/// @param reason one CamelCase word for programs
/// @param message a sentence for people
/// @param warning something is wrong, or just news
public record ObjectEvent(ObjectRef about, boolean warning, String reason, String message) {
  public static ObjectEvent normal(ObjectRef about, String reason, String message) {
    return new ObjectEvent(about, false, reason, message);
  }

  public static ObjectEvent warning(ObjectRef about, String reason, String message) {
    return new ObjectEvent(about, true, reason, message);
  }

  ObjectEvent withMessage(String other) {
    return new ObjectEvent(about, warning, reason, other);
  }

  /// All events about one object have it in common.
  EventKey markOfSubject() {
    return EventKey.of(about.uid());
  }

  /// All events of one kind about one object have it in common, whatever they say.
  EventKey markOfKind() {
    return marked("");
  }

  /// Equal events have it in common; combined ones of one kind count as equal.
  EventKey mark() {
    return marked(message.startsWith(EventCorrelator.COMBINED) ? "combined" : "says " + message);
  }

  private EventKey marked(String last) {
    return EventKey.of(
        about.type().toString(),
        about.key().namespace(),
        about.key().name(),
        about.uid(),
        Boolean.toString(warning),
        reason,
        last);
  }
}
