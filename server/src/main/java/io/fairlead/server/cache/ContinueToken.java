package io.fairlead.server.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.api.json.Json;
import io.fairlead.api.json.JsonSyntax;
import io.fairlead.api.status.ApiException;
import java.util.Base64;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Where a list goes on: the revision of its first page and the last key that was sent. Opaque to
/// clients, in the form Kubernetes uses.
///
/// @param revision [#INCONSISTENT] goes on with the newest state instead
/// @param lastKey the last key sent, relative to the list's prefix
record ContinueToken(long revision, String lastKey) {
  static final long INCONSISTENT = -1;
  private static final String VERSION = "meta.k8s.io/v1";
  private static final int LONGEST = 4096;

  String encode() {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(
            Json.bytes(
                Json.object().put("v", VERSION).put("rv", revision).put("start", lastKey + "\0")));
  }

  static ContinueToken decode(String text) {
    if (text.length() > LONGEST) {
      throw invalid("too long");
    }
    byte[] bytes = decoded(text);
    try {
      JsonNode token = Json.parse(bytes);
      String start = Json.textOr(token, "", "start");
      JsonNode revision = token.path("rv");
      if (!VERSION.equals(Json.text(token, "v"))
          || !revision.isIntegralNumber()
          || revision.asLong() < INCONSISTENT
          || !start.endsWith("\0")) {
        throw invalid("not a token of this server");
      }
      return new ContinueToken(revision.asLong(), start.substring(0, start.length() - 1));
    } catch (JacksonException e) {
      throw invalid(JsonSyntax.problem(bytes));
    }
  }

  private static byte[] decoded(String text) {
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      boolean digit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!digit && c != '-' && c != '_') {
        throw invalid("illegal base64 data at input byte " + at);
      }
    }
    if (text.length() % 4 == 1) {
      throw invalid("illegal base64 data at input byte " + (text.length() - 1));
    }
    return Base64.getUrlDecoder().decode(text.getBytes(UTF_8));
  }

  private static ApiException invalid(String why) {
    return ApiException.badRequest("invalid continue token: continue key is not valid: " + why);
  }
}
