package io.fairlead.server.request;

import io.fairlead.api.status.ApiException;
import io.fairlead.http.server.QueryParameters;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads time spans as Go prints them: `32s`, `1m30s`, `500ms`.
public final class TimeoutParameter {
  private static final Pattern PART =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ns|us|µs|ms|s|m|h)");

  private TimeoutParameter() {}

  /// The request's `timeout` parameter; null when there is none.
  ///
  /// @throws ApiException 400 when it cannot be read
  public static @Nullable Duration timeout(QueryParameters query) {
    String text = query.text("timeout");
    if (text.isEmpty()) {
      return null;
    }
    Matcher parts = PART.matcher(text);
    double nanos = 0;
    int end = 0;
    while (parts.find() && parts.start() == end) {
      nanos += Double.parseDouble(parts.group(1)) * unit(parts.group(2));
      end = parts.end();
    }
    if (end == 0 || end != text.length()) {
      throw ApiException.badRequest(
          "invalid timeout specified in the request URL: \"" + text + "\", expected one like 32s");
    }
    return Duration.ofNanos((long) Math.min(nanos, 1e18));
  }

  private static double unit(String name) {
    return switch (name) {
      case "ns" -> 1;
      case "us", "µs" -> 1e3;
      case "ms" -> 1e6;
      case "s" -> 1e9;
      case "m" -> 60e9;
      default -> 3600e9;
    };
  }
}
