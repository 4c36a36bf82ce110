package io.fairlead.dns.status;

import java.nio.charset.StandardCharsets;

/// What a page says now.
///
/// @param type of its content
public record Page(int code, String type, byte[] body) {
  /// Plain text.
  public static Page text(int code, String text) {
    return new Page(code, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }
}
