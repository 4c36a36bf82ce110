package io.fairlead.dns.server;

import io.fairlead.dns.corefile.Corefile;
import io.fairlead.dns.plugin.SetupException;
import java.nio.file.Path;
import java.util.Optional;

/// Where the configuration comes from; read at start and for every reload.
public interface CorefileSource {
  Corefile read() throws SetupException;

  /// Empty when it is no file.
  Optional<Path> file();
}
