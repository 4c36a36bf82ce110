package io.fairlead.app.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Finds programs on the PATH.
final class Programs {
  private Programs() {}

  static Optional<Path> find(String name, Map<String, String> environment) {
    for (String directory : environment.getOrDefault("PATH", "").split(":")) {
      Path program = Path.of(directory.isEmpty() ? "." : directory, name);
      if (Files.isExecutable(program) && !Files.isDirectory(program)) {
        return Optional.of(program);
      }
    }
    return Optional.empty();
  }
}
