package io.fairlead.client.transport;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One request to an API server.
///
/// @param path absolute, already escaped, without the query
/// @param query parameters in order, not escaped
/// @param accept what kind of answer is wanted
/// @param contentType what the body is; empty without a body
/// @param timeout how long to wait for the answer, of a stream: how long it may last
public record ApiRequest(
    String method,
    String path,
    Map<String, String> query,
    String accept,
    String contentType,
    @Nullable JsonNode body,
    Duration timeout) {
  public static final String JSON = "application/json";

  /// Long enough for a large list, short enough that a worker is not lost.
  public static final Duration TIMEOUT = Duration.ofSeconds(30);

  public ApiRequest {
    query = Collections.unmodifiableMap(new LinkedHashMap<>(query));
  }

  public static ApiRequest get(String path) {
    return get(path, Map.of());
  }

  public static ApiRequest get(String path, Map<String, String> query) {
    return new ApiRequest("GET", path, query, JSON, "", null, TIMEOUT);
  }

  public static ApiRequest with(
      String method, String path, Map<String, String> query, JsonNode body) {
    return new ApiRequest(method, path, query, JSON, JSON, body, TIMEOUT);
  }

  /// The same with another path.
  public ApiRequest at(String other) {
    return new ApiRequest(method, other, query, accept, contentType, body, timeout);
  }

  public ApiRequest accepting(String kinds) {
    return new ApiRequest(method, path, query, kinds, contentType, body, timeout);
  }

  public ApiRequest ofType(String type) {
    return new ApiRequest(method, path, query, accept, type, body, timeout);
  }

  public ApiRequest within(Duration limit) {
    return new ApiRequest(method, path, query, accept, contentType, body, limit);
  }

  /// Path and escaped query, as it stands in a request line.
  public String target() {
    if (query.isEmpty()) {
      return path;
    }
    StringBuilder target = new StringBuilder(path);
    char separator = '?';
    for (Map.Entry<String, String> parameter : query.entrySet()) {
      target
          .append(separator)
          .append(escape(parameter.getKey()))
          .append('=')
          .append(escape(parameter.getValue()));
      separator = '&';
    }
    return target.toString();
  }

  /// Escapes one segment of a path or one value of a query.
  public static String escape(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
