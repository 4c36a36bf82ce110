package io.fairlead.server.rest;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.api.status.Status.Details;
import io.fairlead.server.resource.Subresource;
import org.jspecify.annotations.Nullable;

/// Reads patches.
final class Patching {
  private Patching() {}

  /// A patch with its options.
  interface Patch extends Updates.Change {
    WriteOptions options();
  }

  static Patch read(Call call, Subresource.@Nullable View view) {
    throw new ApiException(
        Status.of(415, "UnsupportedMediaType", "415: Unsupported Media Type")
            .withDetails(Details.EMPTY));
  }
}
