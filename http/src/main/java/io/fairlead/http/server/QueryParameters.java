package io.fairlead.http.server;

import io.fairlead.api.status.ApiException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The query part of a request, decoded.
public final class QueryParameters {
  public static final QueryParameters NONE = new QueryParameters(Map.of());

  private final Map<String, List<String>> values;

  private QueryParameters(Map<String, List<String>> values) {
    this.values = values;
  }

  /// Reads `a=1&b=2`; null is no query at all. Throws 400 on a broken percent escape.
  public static QueryParameters parse(@Nullable String query) {
    if (query == null || query.isEmpty()) {
      return NONE;
    }
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String part : query.split("&")) {
      if (part.isEmpty()) {
        continue;
      }
      int equals = part.indexOf('=');
      String key = decode(equals < 0 ? part : part.substring(0, equals));
      String value = equals < 0 ? "" : decode(part.substring(equals + 1));
      values.computeIfAbsent(key, _ -> new ArrayList<>()).add(value);
    }
    return new QueryParameters(values);
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // Without the text, which may be a token.
      throw ApiException.badRequest("the query holds a broken percent escape");
    }
  }

  /// The first value, or "" when the parameter is missing.
  public String text(String name) {
    List<String> found = values.get(name);
    return found == null ? "" : found.getFirst();
  }

  public List<String> all(String name) {
    return List.copyOf(values.getOrDefault(name, List.of()));
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  /// Kubernetes' reading of a switch: missing, `0` and `false` are off, everything else is on.
  public boolean isOn(String name) {
    List<String> found = values.get(name);
    if (found == null) {
      return false;
    }
    String value = found.getFirst();
    return !value.equals("0") && !value.equalsIgnoreCase("false");
  }

  /// A switch that can also be absent: null then.
  public @Nullable Boolean flag(String name) {
    return has(name) ? isOn(name) : null;
  }

  /// A whole number; null when missing, 400 when it is none.
  public @Nullable Long number(String name) {
    String value = text(name);
    if (value.isEmpty()) {
      return null;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      boolean digits = value.matches("[+-]?[0-9]+");
      throw ApiException.badRequest(
          "strconv.ParseInt: parsing \""
              + value
              + "\": "
              + (digits ? "value out of range" : "invalid syntax"));
    }
  }
}
