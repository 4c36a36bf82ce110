package io.fairlead.server.stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;

/// Names of users and groups as values of headers, by which this server says to others for whom it
/// asks. They believe it, so two names must never become the same value there.
final class UserHeaders {
  private UserHeaders() {}

  /// A name as the connection writes it: its bytes in UTF-8, as Kubernetes sends them.
  ///
  /// @throws ApiException 403 for a name that would arrive as another one: receivers cut blanks at
  ///   both ends, and a control character ends a header or the request
  static String value(String name) {
    if (!name.equals(name.strip()) || name.chars().anyMatch(Character::isISOControl)) {
      throw new ApiException(
          Status.of(
              403,
              "Forbidden",
              "the name of the user or of one of its groups cannot be passed on to another"
                  + " server: it holds control characters, or blanks at its ends"));
    }
    return new String(name.getBytes(UTF_8), ISO_8859_1);
  }
}
