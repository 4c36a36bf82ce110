package io.fairlead.app;

import io.fairlead.server.ApiServerConfig;
import java.nio.file.Path;
import java.util.Optional;

/// Options for tests: any free port on loopback.
public final class TestOptions {
  private TestOptions() {}

  public static Options on(Path directory) {
    ApiServerConfig server =
        ApiServerConfig.defaults(directory.resolve("pki")).change().securePort(0).build();
    return new Options(directory, server, Optional.empty(), true);
  }
}
