package io.fairlead.insight.evidence;

import java.util.LinkedHashMap;
import java.util.Map;

/// Why something could not be seen. Closed: a screen has a sentence for each, documents carry
/// [#name].
public sealed interface Why {
  /// The user may not do that.
  record Forbidden(String verb, String resource) implements Why {}

  /// No part of the node answers questions.
  record NoNodeApi() implements Why {}

  /// It was asked and did not answer, or not in words we know.
  record NoAnswer(String detail) implements Why {}

  /// It takes root on the machine.
  record NoRights() implements Why {}

  /// A data plane that we cannot read.
  record NotOurs(String dataPlane) implements Why {}

  /// The kernel does not have it.
  record NotInKernel(String feature) implements Why {}

  /// There are more than are looked at.
  record TooMany(int limit) implements Why {}

  /// A flag told not to ask.
  record SwitchedOff(String flag) implements Why {}

  /// The word in documents: `FORBIDDEN`, `NO_NODE_API`…
  default String name() {
    return switch (this) {
      case Forbidden _ -> "FORBIDDEN";
      case NoNodeApi _ -> "NO_NODE_API";
      case NoAnswer _ -> "NO_ANSWER";
      case NoRights _ -> "NO_RIGHTS";
      case NotOurs _ -> "NOT_OURS";
      case NotInKernel _ -> "NOT_IN_KERNEL";
      case TooMany _ -> "TOO_MANY";
      case SwitchedOff _ -> "SWITCHED_OFF";
    };
  }

  /// What fills its sentence, by name.
  default Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    switch (this) {
      case Forbidden(String verb, String resource) -> {
        values.put("verb", verb);
        values.put("resource", resource);
      }
      case NoAnswer(String detail) -> values.put("detail", detail);
      case NotOurs(String dataPlane) -> values.put("dataPlane", dataPlane);
      case NotInKernel(String feature) -> values.put("feature", feature);
      case TooMany(int limit) -> values.put("limit", Integer.toString(limit));
      case SwitchedOff(String flag) -> values.put("flag", flag);
      case NoNodeApi _, NoRights _ -> {}
    }
    return values;
  }
}
