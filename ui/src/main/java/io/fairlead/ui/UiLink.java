package io.fairlead.ui;

import io.fairlead.api.json.Json;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/// A link that lets one browser in, once.
///
/// @param url with the code behind `#`, which browsers do not send
public record UiLink(String url, Instant expires, String user) {
  /// The document `UiLink`.
  public ObjectNode document() {
    return Json.object()
        .put("apiVersion", "cli.fairlead.dev/v1")
        .put("kind", "UiLink")
        .put("url", url)
        .put("expires", expires.toString())
        .put("user", user);
  }
}
