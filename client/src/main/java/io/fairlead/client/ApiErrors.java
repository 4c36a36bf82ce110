package io.fairlead.client;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.api.status.Status.Cause;
import io.fairlead.api.status.Status.Details;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Questions about the errors a server answers with, and how they are read.
public final class ApiErrors {
  private ApiErrors() {}

  public static boolean isNotFound(ApiException e) {
    return e.status().code() == 404;
  }

  /// Another client wrote first, or a precondition did not hold.
  public static boolean isConflict(ApiException e) {
    return e.status().reason().equals("Conflict");
  }

  public static boolean isAlreadyExists(ApiException e) {
    return e.status().reason().equals("AlreadyExists");
  }

  /// The version asked for is no longer in the server's history.
  public static boolean isExpired(Status status) {
    return status.code() == 410;
  }

  /// The version asked for lies in the server's future.
  public static boolean isTooLargeVersion(Status status) {
    return hasCause(status, "ResourceVersionTooLarge");
  }

  /// The object cannot be made because its namespace is being deleted: no reason to try again.
  public static boolean isNamespaceTerminating(ApiException e) {
    return e.status().code() == 403 && hasCause(e.status(), "NamespaceTerminating");
  }

  private static boolean hasCause(Status status, String reason) {
    Details details = status.details();
    return details != null
        && details.causes().stream().anyMatch(cause -> cause.reason().equals(reason));
  }

  /// Reads the body of an error. What is missing becomes empty, so every answer gives a Status.
  public static Status read(JsonNode body) {
    List<Cause> causes = new ArrayList<>();
    for (JsonNode cause : Json.at(body, "details", "causes")) {
      causes.add(
          new Cause(
              Json.textOr(cause, "", "reason"),
              Json.textOr(cause, "", "message"),
              Json.textOr(cause, "", "field")));
    }
    Status status =
        Status.of(
            body.path("code").asInt(500),
            Json.textOr(body, "", "reason"),
            Json.textOr(body, "", "message"));
    if (body.get("details") instanceof ObjectNode details) {
      status =
          status.withDetails(
              new Details(
                  Json.textOr(details, "", "name"),
                  Json.textOr(details, "", "group"),
                  Json.textOr(details, "", "kind"),
                  Json.textOr(details, "", "uid"),
                  causes,
                  details.path("retryAfterSeconds").asInt(0)));
    }
    String token = Json.text(body, "metadata", "continue");
    return token == null ? status : status.withContinue(token);
  }
}
