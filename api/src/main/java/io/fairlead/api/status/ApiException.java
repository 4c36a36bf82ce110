package io.fairlead.api.status;

import io.fairlead.api.status.Status.Cause;
import io.fairlead.api.status.Status.Details;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// A request that ends in a Status. Carries the whole answer; its text is written for the user of
/// kubectl. Made without a stack trace: it is an answer, not a fault.
public final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final String MODIFIED =
      "the object has been modified; please apply your changes to the latest version and try again";

  private final transient Status status;

  public ApiException(Status status) {
    super(status.message(), null, false, false);
    this.status = status;
  }

  public Status status() {
    return status;
  }

  public static ApiException badRequest(String message) {
    return new ApiException(Status.of(400, "BadRequest", message));
  }

  public static ApiException unauthorized() {
    return new ApiException(Status.of(401, "Unauthorized", "Unauthorized"));
  }

  /// `services "x" is forbidden: WHY`.
  public static ApiException forbidden(String group, String resource, String name, String why) {
    String what = qualified(resource, group) + (name.isEmpty() ? "" : " \"" + name + "\"");
    return new ApiException(
        Status.of(403, "Forbidden", what + " is forbidden: " + why)
            .withDetails(Details.of(name, group, resource)));
  }

  public static ApiException notFound(String group, String resource, String name) {
    return new ApiException(
        Status.of(404, "NotFound", qualified(resource, group) + " \"" + name + "\" not found")
            .withDetails(Details.of(name, group, resource)));
  }

  /// A path of a known group that leads nowhere.
  public static ApiException noSuchResource() {
    return new ApiException(
        Status.of(404, "NotFound", "the server could not find the requested resource")
            .withDetails(Details.EMPTY));
  }

  public static ApiException methodNotAllowed() {
    return new ApiException(
        Status.of(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource")
            .withDetails(Details.EMPTY));
  }

  public static ApiException alreadyExists(String group, String resource, String name) {
    return new ApiException(
        Status.of(
                409,
                "AlreadyExists",
                qualified(resource, group) + " \"" + name + "\" already exists")
            .withDetails(Details.of(name, group, resource)));
  }

  public static ApiException conflict(String group, String resource, String name, String why) {
    return new ApiException(
        Status.of(
                409,
                "Conflict",
                "Operation cannot be fulfilled on "
                    + qualified(resource, group)
                    + " \""
                    + name
                    + "\": "
                    + why)
            .withDetails(Details.of(name, group, resource)));
  }

  /// The conflict of a write whose resourceVersion is not the newest.
  public static ApiException modified(String group, String resource, String name) {
    return conflict(group, resource, name, MODIFIED);
  }

  public static ApiException expired(String message) {
    return new ApiException(Status.of(410, "Expired", message));
  }

  public static ApiException tooLarge(long limit) {
    return new ApiException(
        Status.of(413, "RequestEntityTooLarge", "Request entity too large: limit is " + limit));
  }

  /// The 422 of validation. Duplicate texts are shown once in the message, all are kept as causes.
  public static ApiException invalid(
      String group, String kind, String name, List<FieldError> errors) {
    Set<String> texts = new LinkedHashSet<>();
    List<Cause> causes = new ArrayList<>();
    for (FieldError error : errors) {
      texts.add(error.message());
      causes.add(new Cause(error.kind().reason(), error.body(), error.field()));
    }
    String shown =
        texts.size() == 1 ? texts.iterator().next() : "[" + String.join(", ", texts) + "]";
    return new ApiException(
        Status.of(422, "Invalid", qualified(kind, group) + " \"" + name + "\" is invalid: " + shown)
            .withDetails(Details.of(name, group, kind).withCauses(causes)));
  }

  public static ApiException tooManyRequests(String message, int retryAfterSeconds) {
    return new ApiException(
        Status.of(429, "TooManyRequests", message)
            .withDetails(Details.EMPTY.withRetryAfter(retryAfterSeconds)));
  }

  public static ApiException internal(String message) {
    return new ApiException(
        Status.of(500, "InternalError", "Internal error occurred: " + message)
            .withDetails(Details.EMPTY.withCauses(List.of(new Cause("", message, "")))));
  }

  private static String qualified(String what, String group) {
    return group.isEmpty() ? what : what + "." + group;
  }
}
