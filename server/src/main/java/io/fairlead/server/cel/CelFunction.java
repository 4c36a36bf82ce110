package io.fairlead.server.cel;

import java.util.List;

/// One overload of a function.
///
/// @param method whether it is called on its first argument
/// @param body computes the result; the arguments have the types of the parameters
record CelFunction(
    String name, boolean method, List<CelType> parameters, CelType result, Body body) {
  /// What a function does.
  @FunctionalInterface
  interface Body {
    Object apply(List<Object> arguments);
  }

  CelFunction {
    parameters = List.copyOf(parameters);
  }

  /// Whether these values can be its arguments.
  boolean takes(List<Object> arguments) {
    if (arguments.size() != parameters.size()) {
      return false;
    }
    for (int at = 0; at < arguments.size(); at++) {
      if (!CelValues.is(arguments.get(at), parameters.get(at))) {
        return false;
      }
    }
    return true;
  }
}
