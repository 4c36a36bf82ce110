package io.fairlead.server.rest;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import java.util.List;

/// Errors about list options that do not reach the cache.
final class ListOptionErrors {
  private ListOptionErrors() {}

  static ApiException sendInitialEventsOnList() {
    return ApiException.invalid(
        "meta.k8s.io",
        "ListOptions",
        "",
        List.of(
            FieldError.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list")));
  }
}
