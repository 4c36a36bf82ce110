package io.fairlead.controller.serving;

import tools.jackson.databind.JsonNode;

/// Where in the pod a Service port leads.
public sealed interface TargetPort {
  /// That number in every pod; the pod need not declare it.
  record Number(int port) implements TargetPort {}

  /// Whatever number the pod declares under this name.
  record Named(String name) implements TargetPort {}

  /// @param otherwise the port meant when nothing is said
  static TargetPort of(JsonNode target, int otherwise) {
    if (target.isString()) {
      return new Named(target.stringValue());
    }
    int number = target.asInt(0);
    return new Number(number == 0 ? otherwise : number);
  }
}
