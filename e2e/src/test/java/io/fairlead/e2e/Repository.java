package io.fairlead.e2e;

import java.nio.file.Files;
import java.nio.file.Path;

/// Where the repository is that these tests were built from.
public final class Repository {
  private Repository() {}

  /// The directory with the users' command, `./fairlead`.
  public static Path root() {
    Path at = Path.of("").toAbsolutePath();
    while (at != null && !Files.isExecutable(at.resolve("fairlead"))) {
      at = at.getParent();
    }
    if (at == null) {
      throw new IllegalStateException("not inside the repository");
    }
    return at;
  }
}
