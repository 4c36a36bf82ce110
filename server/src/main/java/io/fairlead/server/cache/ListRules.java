package io.fairlead.server.cache;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.api.status.Status;
import io.fairlead.api.status.Status.Cause;
import io.fairlead.api.status.Status.Details;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/// Which combinations of list and watch options are allowed, and the errors for those that are not.
final class ListRules {
  static final String EXACT = "Exact";
  static final String NOT_OLDER_THAN = "NotOlderThan";
  private static final String MATCH = "resourceVersionMatch";

  private ListRules() {}

  static void check(ListQuery query) {
    String match = query.match();
    if (match.isEmpty()) {
      return;
    }
    if (!query.continueToken().isEmpty()) {
      throw forbidden("resourceVersionMatch is forbidden when continue is provided");
    }
    if (query.resourceVersion().isEmpty()) {
      throw forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided");
    }
    if (!match.equals(EXACT) && !match.equals(NOT_OLDER_THAN)) {
      throw unsupported(match, List.of(EXACT, NOT_OLDER_THAN, ""));
    }
    if (match.equals(EXACT) && query.resourceVersion().equals("0")) {
      throw forbidden("resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"");
    }
  }

  static void check(WatchQuery query) {
    String match = query.match();
    if (query.sendInitialEvents() == null) {
      if (!match.isEmpty()) {
        throw forbidden(
            "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
      }
      return;
    }
    if (match.isEmpty()) {
      throw forbidden("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }
    if (!match.equals(NOT_OLDER_THAN)) {
      throw unsupported(match, List.of(NOT_OLDER_THAN));
    }
  }

  /// The revision of a resourceVersion parameter; empty counts as 0.
  static long revision(String text) {
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
    throw ApiException.badRequest("invalid resource version: \"" + text + "\"");
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

  private static ApiException forbidden(String detail) {
    return invalid(FieldError.forbidden(MATCH, detail));
  }

  private static ApiException unsupported(String match, List<String> supported) {
    return invalid(
        FieldError.notSupported(MATCH, JsonNodeFactory.instance.stringNode(match), supported));
  }

  private static ApiException invalid(FieldError error) {
    return ApiException.invalid("meta.k8s.io", "ListOptions", "", List.of(error));
  }
}
