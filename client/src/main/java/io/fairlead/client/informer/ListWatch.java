package io.fairlead.client.informer;

import io.fairlead.client.ObjectPage;
import io.fairlead.client.WatchStream;
import java.time.Duration;

/// The two questions an informer asks. Errors are those of `Client`.
public interface ListWatch {
  /// One page of the present state.
  ///
  /// @param version not older than this; `0` for whatever is at hand, empty for the newest
  /// @param limit 0 for all at once
  /// @param continueToken empty for the first page
  ObjectPage list(String version, int limit, String continueToken);

  /// Changes after a version; with `initialEvents` the state first, not older than the version.
  WatchStream watch(String version, boolean initialEvents, Duration timeout);

  /// The same objects by watches of its own, where [SharedWatches] would hand on a common one.
  default ListWatch unshared() {
    return this;
  }
}
