package io.fairlead.api.status;

import io.fairlead.api.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The answer that is not an object: `kind: Status`. Every error of the API is one.
///
/// @param code the HTTP code, repeated in the body
/// @param reason a word for programs, `NotFound`; empty when there is none
/// @param message a sentence for people
/// @param details what it is about; null leaves `details` out of the body
/// @param continueToken goes into `metadata.continue`, see expired list pages
public record Status(
    int code,
    String reason,
    String message,
    @Nullable Details details,
    @Nullable String continueToken) {

  /// What an error is about. Empty strings are left out, so `Details.EMPTY` prints as `{}`.
  ///
  /// @param kind the resource (`services`), in Invalid errors the kind (`Service`)
  public record Details(
      String name,
      String group,
      String kind,
      String uid,
      List<Cause> causes,
      int retryAfterSeconds) {
    public static final Details EMPTY = new Details("", "", "", "", List.of(), 0);

    public Details {
      causes = List.copyOf(causes);
    }

    public static Details of(String name, String group, String kind) {
      return new Details(name, group, kind, "", List.of(), 0);
    }

    public Details withCauses(List<Cause> because) {
      return new Details(name, group, kind, uid, because, retryAfterSeconds);
    }

    public Details withRetryAfter(int seconds) {
      return new Details(name, group, kind, uid, causes, seconds);
    }
  }

  /// One reason among several.
  public record Cause(String reason, String message, String field) {}

  public static Status of(int code, String reason, String message) {
    return new Status(code, reason, message, null, null);
  }

  public Status withDetails(Details about) {
    return new Status(code, reason, message, about, continueToken);
  }

  public Status withContinue(String token) {
    return new Status(code, reason, message, details, token);
  }

  public int retryAfterSeconds() {
    return details == null ? 0 : details.retryAfterSeconds();
  }

  /// The body of the answer.
  public ObjectNode toJson() {
    ObjectNode out = Json.object();
    out.put("kind", "Status").put("apiVersion", "v1");
    ObjectNode metadata = out.putObject("metadata");
    if (continueToken != null) {
      metadata.put("continue", continueToken);
    }
    out.put("status", code < 400 ? "Success" : "Failure");
    putUnlessEmpty(out, "message", message);
    putUnlessEmpty(out, "reason", reason);
    if (details != null) {
      out.set("details", detailsJson(details));
    }
    if (code >= 400) {
      out.put("code", code);
    }
    return out;
  }

  private static ObjectNode detailsJson(Details details) {
    ObjectNode out = Json.object();
    putUnlessEmpty(out, "name", details.name());
    putUnlessEmpty(out, "group", details.group());
    putUnlessEmpty(out, "kind", details.kind());
    putUnlessEmpty(out, "uid", details.uid());
    if (!details.causes().isEmpty()) {
      ArrayNode causes = out.putArray("causes");
      for (Cause cause : details.causes()) {
        ObjectNode one = causes.addObject();
        putUnlessEmpty(one, "reason", cause.reason());
        putUnlessEmpty(one, "message", cause.message());
        putUnlessEmpty(one, "field", cause.field());
      }
    }
    if (details.retryAfterSeconds() > 0) {
      out.put("retryAfterSeconds", details.retryAfterSeconds());
    }
    return out;
  }

  private static void putUnlessEmpty(ObjectNode out, String key, String value) {
    if (!value.isEmpty()) {
      out.put(key, value);
    }
  }
}
