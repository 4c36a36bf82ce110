package io.fairlead.server.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.api.json.Json;
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
    try {
      String padless = text.replace("=", "");
      JsonNode token = Json.parse(Base64.getUrlDecoder().decode(padless.getBytes(UTF_8)));
      String start = Json.textOr(token, "", "start");
      JsonNode revision = token.path("rv");
      if (!VERSION.equals(Json.text(token, "v"))
          || !revision.isIntegralNumber()
          || revision.asLong() < INCONSISTENT
          || !start.endsWith("\0")) {
        throw invalid("not a token of this server");
      }
      return new ContinueToken(revision.asLong(), start.substring(0, start.length() - 1));
    } catch (IllegalArgumentException | JacksonException e) {
      throw invalid("not a token");
    }
  }

  private static ApiException invalid(String why) {
    return ApiException.badRequest("invalid continue token: continue key is not valid: " + why);
  }
}
