package io.fairlead.server.request;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A media type with its parameters: one clause of `Accept`, or a `Content-Type`.
///
/// @param type `application/json`, in lower case, without parameters
/// @param parameters `as`, `g`, `v`, `charset`…; never `q`
/// @param quality the `q` of an Accept clause, 1 when there is none
public record MediaType(String type, Map<String, String> parameters, double quality) {
  public static MediaType parse(String text) {
    String[] parts = text.split(";");
    Map<String, String> parameters = new LinkedHashMap<>();
    double quality = 1;
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals < 0) {
        continue;
      }
      String key = parts[i].substring(0, equals).strip().toLowerCase(Locale.ROOT);
      String value = unquoted(parts[i].substring(equals + 1).strip());
      if (key.equals("q")) {
        quality = quality(value);
      } else {
        parameters.put(key, value);
      }
    }
    return new MediaType(parts[0].strip().toLowerCase(Locale.ROOT), parameters, quality);
  }

  /// The clauses of Accept headers, best first: by quality, then in the order given. No header
  /// means everything is welcome.
  public static List<MediaType> accepted(List<String> headers) {
    List<MediaType> clauses = new ArrayList<>();
    for (String header : headers) {
      for (String clause : header.split(",")) {
        if (!clause.isBlank()) {
          clauses.add(parse(clause));
        }
      }
    }
    if (clauses.isEmpty()) {
      clauses.add(parse("*/*"));
    }
    clauses.removeIf(clause -> clause.quality == 0);
    clauses.sort(Comparator.comparingDouble((MediaType clause) -> -clause.quality));
    return clauses;
  }

  public String parameter(String name) {
    return parameters.getOrDefault(name, "");
  }

  private static double quality(String value) {
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      return 1;
    }
  }

  private static String unquoted(String value) {
    return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
        ? value.substring(1, value.length() - 1)
        : value;
  }
}
