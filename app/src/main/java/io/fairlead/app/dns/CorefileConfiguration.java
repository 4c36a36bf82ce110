package io.fairlead.app.dns;

import io.fairlead.dns.corefile.Corefile;
import io.fairlead.dns.corefile.Sources;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.server.Configuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// A Corefile on disk, read anew each time. Without a name it is the file `Corefile` of the working
/// directory, and without that a server that tells callers who they are.
public final class CorefileConfiguration implements Configuration {
  private static final String DEFAULT = "Corefile";
  private static final String WITHOUT_FILE = ". {\n  whoami\n  log\n}\n";

  private final Optional<Path> file;
  private final int port;
  private final Map<String, String> environment;

  private CorefileConfiguration(Optional<Path> file, int port, Map<String, String> environment) {
    this.file = file;
    this.port = port;
    this.environment = Map.copyOf(environment);
  }

  /// @param name empty for the default
  public static CorefileConfiguration of(String name, int port, Map<String, String> environment) {
    Path path = Path.of(name.isEmpty() ? DEFAULT : name);
    boolean there = !name.isEmpty() || Files.exists(path);
    return new CorefileConfiguration(
        there ? Optional.of(path) : Optional.empty(), port, environment);
  }

  @Override
  public Corefile read() throws SetupException {
    Path path = file.orElse(Path.of(DEFAULT));
    return Corefile.parse(path, text(path), port, Sources.files(), environment::get);
  }

  private String text(Path path) throws SetupException {
    if (file.isEmpty()) {
      return WITHOUT_FILE;
    }
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new SetupException(path.toString(), 0, "cannot be read: " + e.getMessage());
    }
  }

  @Override
  public Optional<Path> file() {
    return file;
  }

  /// The file's name for messages.
  public String shown() {
    return file.map(Path::toString).orElse(DEFAULT);
  }
}
