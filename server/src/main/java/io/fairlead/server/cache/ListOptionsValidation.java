package io.fairlead.server.cache;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.api.status.Status;
import io.fairlead.api.status.Status.Cause;
import io.fairlead.api.status.Status.Details;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/// Which combinations of list and watch options are allowed, and the errors for those that are not.
public final class ListOptionsValidation {
  static final String EXACT = "Exact";
  static final String NOT_OLDER_THAN = "NotOlderThan";
  private static final String MATCH = "resourceVersionMatch";

  private ListOptionsValidation() {}

  static void check(ListQuery query) {
    String match = query.match();
    if (match.isEmpty()) {
      return;
    }
    List<FieldError> errors = new ArrayList<>();
    if (!query.continueToken().isEmpty()) {
      errors.add(forbidden("resourceVersionMatch is forbidden when continue is provided"));
    }
    if (query.resourceVersion().isEmpty()) {
      errors.add(forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided"));
    }
    if (!match.equals(EXACT) && !match.equals(NOT_OLDER_THAN)) {
      errors.add(unsupported(match, List.of(EXACT, NOT_OLDER_THAN, "")));
    }
    if (match.equals(EXACT) && query.resourceVersion().equals("0")) {
      errors.add(
          forbidden("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
    }
    refuse(errors);
  }

  static void check(WatchQuery query) {
    String match = query.match();
    List<FieldError> errors = new ArrayList<>();
    if (query.sendInitialEvents() == null) {
      if (!match.isEmpty()) {
        errors.add(
            forbidden(
                "resourceVersionMatch is forbidden for watch unless sendInitialEvents is"
                    + " provided"));
      }
    } else if (!match.equals(NOT_OLDER_THAN)) {
      errors.add(
          forbidden("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
      if (!match.isEmpty()) {
        errors.add(unsupported(match, List.of(NOT_OLDER_THAN)));
      }
    }
    refuse(errors);
  }

  /// The revision of a list's resourceVersion parameter; empty counts as 0.
  static long listRevision(String text) {
    try {
      return revision(text);
    } catch (ApiException e) {
      throw ApiException.badRequest("invalid resource version: " + e.status().message());
    }
  }

  /// The revision that a get or a watch names; empty counts as 0.
  public static long revision(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    try {
      long revision = Long.parseLong(text);
      if (revision >= 0) {
        return revision;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a negative number.
    }
    throw new ApiException(
        Status.of(
            500,
            "",
            "resourceVersion: Invalid value: \""
                + text
                + "\": strconv.ParseUint: parsing \""
                + text
                + "\": "
                + (text.matches("[0-9]+") ? "value out of range" : "invalid syntax")));
  }

  /// The answer when a client asks for a state this server has not reached.
  static ApiException tooLarge(long asked, long current) {
    String message = "Too large resource version: " + asked + ", current: " + current;
    return new ApiException(
        Status.of(504, "Timeout", "Timeout: " + message)
            .withDetails(
                Details.EMPTY
                    .withCauses(
                        List.of(
                            new Cause("ResourceVersionTooLarge", "Too large resource version", "")))
                    .withRetryAfter(1)));
  }

  static ApiException listTooOld() {
    return ApiException.expired("The resourceVersion for the provided list is too old.");
  }

  static ApiException watchTooOld(long asked, long oldest) {
    return ApiException.expired("too old resource version: " + asked + " (" + oldest + ")");
  }

  private static FieldError forbidden(String detail) {
    return FieldError.forbidden(MATCH, detail);
  }

  private static FieldError unsupported(String match, List<String> supported) {
    return FieldError.notSupported(MATCH, JsonNodeFactory.instance.stringNode(match), supported);
  }

  private static void refuse(List<FieldError> errors) {
    if (!errors.isEmpty()) {
      throw ApiException.invalid("meta.k8s.io", "ListOptions", "", errors);
    }
  }
}
