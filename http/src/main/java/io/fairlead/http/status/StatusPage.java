package io.fairlead.http.status;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/// A page as it is now.
///
/// @param type of its content
/// @param headers beside that
public record StatusPage(int code, String type, Map<String, String> headers, byte[] body) {
  private static final String TEXT = "text/plain; charset=utf-8";

  public StatusPage(int code, String type, byte[] body) {
    this(code, type, Map.of(), body);
  }

  public static StatusPage text(int code, String text) {
    return of(code, TEXT, text);
  }

  public static StatusPage of(int code, String type, String text) {
    return new StatusPage(code, type, text.getBytes(StandardCharsets.UTF_8));
  }

  public static StatusPage notFound() {
    return text(404, "404 page not found\n");
  }
}
