package io.fairlead.app.dns;

import io.fairlead.dns.corefile.Corefile;
import io.fairlead.dns.corefile.CorefileImports;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.ServerBlock;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.server.CorefileSource;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A Corefile on disk, read again each time. Without a name it is the file `Corefile` of the
/// working directory, and without that a server that tells callers who they are.
public final class CorefileConfiguration implements CorefileSource {
  private static final Logger log = LoggerFactory.getLogger(CorefileConfiguration.class);
  private static final String DEFAULT = "Corefile";
  private static final String WITHOUT_FILE = ". {\n  whoami\n  log\n}\n";

  private final Optional<Path> file;
  private final int port;
  private final Map<String, String> environment;
  private final Optional<Set<String>> known;

  private CorefileConfiguration(
      Optional<Path> file, int port, Map<String, String> environment, Optional<Set<String>> known) {
    this.file = file;
    this.port = port;
    this.environment = Map.copyOf(environment);
    this.known = known;
  }

  /// @param name empty for the default
  public static CorefileConfiguration of(String name, int port, Map<String, String> environment) {
    Path path = Path.of(name.isEmpty() ? DEFAULT : name);
    boolean there = !name.isEmpty() || Files.exists(path);
    return new CorefileConfiguration(
        there ? Optional.of(path) : Optional.empty(), port, environment, Optional.empty());
  }

  /// The same, but lines of other plugins than these are passed over with a warning instead of
  /// being an error.
  public CorefileConfiguration skippingAllBut(Set<String> plugins) {
    return new CorefileConfiguration(file, port, environment, Optional.of(Set.copyOf(plugins)));
  }

  @Override
  public Corefile read() throws SetupException {
    Path path = file.orElse(Path.of(DEFAULT));
    Corefile whole =
        Corefile.parse(path, text(path), port, CorefileImports.files(), environment::get);
    return known.map(plugins -> without(whole, plugins)).orElse(whole);
  }

  private static Corefile without(Corefile whole, Set<String> known) {
    return new Corefile(
        whole.blocks().stream()
            .map(
                block ->
                    new ServerBlock(
                        block.keys(),
                        block.directives().stream().filter(line -> isKnown(line, known)).toList(),
                        block.file(),
                        block.line()))
            .toList(),
        whole.fingerprint());
  }

  private static boolean isKnown(Directive line, Set<String> known) {
    boolean there = known.contains(line.name());
    if (!there) {
      log.atWarn()
          .addKeyValue("file", line.file())
          .addKeyValue("line", line.line())
          .addKeyValue("plugin", line.name())
          .log("unknown plugin, passed over");
    }
    return there;
  }

  private String text(Path path) throws SetupException {
    if (file.isEmpty()) {
      return WITHOUT_FILE;
    }
    try {
      return Files.readString(path);
    } catch (NoSuchFileException _) {
      throw new SetupException(path.toString(), 0, "cannot be read: there is no such file");
    } catch (AccessDeniedException _) {
      throw new SetupException(path.toString(), 0, "cannot be read: you may not");
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
