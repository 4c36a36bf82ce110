package io.fairlead.http.server;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/// Path and query of a request as logs may show them: without the values of tokens and passwords.
public final class MaskedUri {
  private static final List<String> SECRETS =
      List.of("token", "password", "secret", "authorization", "bearer", "credential");

  private MaskedUri() {}

  /// The path and query with the values of secrets masked, however their names are written.
  public static String of(String uri) {
    int mark = uri.indexOf('?');
    if (mark < 0) {
      return uri;
    }
    StringBuilder masked = new StringBuilder(uri.substring(0, mark + 1));
    int start = mark + 1;
    while (start <= uri.length()) {
      int end = end(uri, start);
      int equals = uri.indexOf('=', start);
      if (equals >= 0 && equals < end && isSecret(uri.substring(start, equals))) {
        masked.append(uri, start, equals).append("=redacted");
      } else {
        masked.append(uri, start, end);
      }
      if (end < uri.length()) {
        masked.append(uri.charAt(end));
      }
      start = end + 1;
    }
    return masked.toString();
  }

  /// Where the parameter that begins there ends. Some servers behind a proxy path take semicolons
  /// for ampersands.
  private static int end(String uri, int start) {
    int at = start;
    while (at < uri.length() && uri.charAt(at) != '&' && uri.charAt(at) != ';') {
      at++;
    }
    return at;
  }

  private static boolean isSecret(String name) {
    try {
      String decoded = URLDecoder.decode(name, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
      return SECRETS.stream().anyMatch(decoded::contains);
    } catch (IllegalArgumentException _) {
      return true; // a broken escape: its meaning is unknown
    }
  }
}
