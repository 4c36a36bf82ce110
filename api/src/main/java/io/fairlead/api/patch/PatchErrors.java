package io.fairlead.api.patch;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import tools.jackson.databind.JsonNode;

/// The errors for a strategic merge patch whose directives or items make no sense.
final class PatchErrors {
  private PatchErrors() {}

  /// `$patch` with another word than those known; upstream answers 500 without a reason.
  static ApiException unknownDirective(JsonNode directive, JsonNode patch) {
    return new ApiException(
        Status.of(
            500,
            "",
            "unknown patch type: " + GoText.of(directive) + " in map: " + GoText.of(patch)));
  }

  /// An item that cannot be paired. Upstream answers 500; it is the patch that is wrong, so 422.
  static ApiException noMergeKey(JsonNode item, String key) {
    return PatchBody.unprocessable(
        "map: " + GoText.of(item) + " does not contain declared merge key: " + key);
  }

  static ApiException malformed(String what) {
    return ApiException.badRequest("Invalid patch format of " + what);
  }

  static ApiException listOfLists() {
    return PatchBody.unprocessable("Lists of lists are not supported");
  }

  static ApiException mixedList() {
    return PatchBody.unprocessable("Items of a list that merges must be of one type");
  }

  static ApiException wrongOrder(JsonNode patch, JsonNode order) {
    return PatchBody.unprocessable(
        "The order in patch list:\n"
            + GoText.of(patch)
            + "\n doesn't match $setElementOrder list:\n"
            + GoText.of(order)
            + "\n");
  }
}
