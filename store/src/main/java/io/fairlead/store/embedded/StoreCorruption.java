package io.fairlead.store.embedded;

import io.fairlead.store.StoreException;
import java.nio.file.Path;

/// Names damage that our own checks find.
final class StoreCorruption {
  static final String REMEDY =
      "Stop the server and run `fairlead store check` on the directory to see how much is hit, then"
          + " `fairlead store restore` with a backup";

  private StoreCorruption() {}

  static StoreException in(Path file, String what) {
    return new StoreException(file + " is damaged: " + what + ". " + REMEDY, null);
  }
}
