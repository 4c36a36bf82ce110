package io.fairlead.server.resources.config;

import io.fairlead.api.names.NameValidation;
import io.fairlead.server.resources.kind.Problems;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// What ConfigMap and Secret demand alike of their data.
final class ConfigDataValidation {
  static final int MAX_BYTES = 1 << 20;

  private static final String FROZEN = "field is immutable when `immutable` is set";

  private ConfigDataValidation() {}

  /// Checks the keys under `path` and returns how many bytes the values hold.
  static long check(JsonNode data, String path, boolean base64, Problems problems) {
    long bytes = 0;
    for (Map.Entry<String, JsonNode> entry : data.properties()) {
      String key = entry.getKey();
      problems.each(path + "[" + key + "]", key, NameValidation.configMapKey(key));
      String value = entry.getValue().asString("");
      bytes += base64 ? decodedLength(value) : value.getBytes(StandardCharsets.UTF_8).length;
    }
    return bytes;
  }

  /// An object that was declared immutable keeps its data and stays immutable.
  static void checkFrozen(JsonNode object, JsonNode old, List<String> parts, Problems problems) {
    if (!old.path("immutable").asBoolean(false)) {
      return;
    }
    if (!object.path("immutable").asBoolean(false)) {
      problems.forbidden("immutable", FROZEN);
    }
    for (String part : parts) {
      if (!object.path(part).equals(old.path(part))) {
        problems.forbidden(part, FROZEN);
      }
    }
  }

  private static long decodedLength(String base64) {
    int end = base64.length();
    while (end > 0 && base64.charAt(end - 1) == '=') {
      end--;
    }
    return end * 3L / 4;
  }
}
