package io.fairlead.server.component;

import java.util.function.Function;
import java.util.function.UnaryOperator;

/// A document that is made when a client asks for it.
///
/// @param mediaType what it is, `text/plain`
/// @param text makes the document, on the thread of the request, from the query parameters: a
///   function that gives the value of one, empty when it is not there. Throws
///   [io.fairlead.api.status.ApiException] when there is no answer
public record ComponentPage(String mediaType, Function<UnaryOperator<String>, String> text) {
  /// Always says `ok`.
  public static ComponentPage ok() {
    return new ComponentPage("text/plain; charset=utf-8", _ -> "ok");
  }
}
