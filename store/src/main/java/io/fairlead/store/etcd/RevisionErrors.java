package io.fairlead.store.etcd;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/// Tells etcd's two errors about revisions apart; both have the same status code, so the text
/// decides.
final class RevisionErrors {
  private RevisionErrors() {}

  static boolean isCompacted(StatusRuntimeException e) {
    return says(e, "has been compacted");
  }

  static boolean isFuture(StatusRuntimeException e) {
    return says(e, "future revision");
  }

  private static boolean says(StatusRuntimeException e, String words) {
    String text = e.getStatus().getDescription();
    return e.getStatus().getCode() == Status.Code.OUT_OF_RANGE
        && text != null
        && text.contains(words);
  }
}
