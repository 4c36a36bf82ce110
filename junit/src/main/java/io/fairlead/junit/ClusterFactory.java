package io.fairlead.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Starts the clusters of a JVM, the second and all later ones from a template of the first.
///
/// Thread-safe: clusters are started one after the other.
final class ClusterFactory implements AutoCloseable {
  /// Held, because a logger without a reference forgets its level.
  private static final List<Logger> LOGGERS =
      List.of(Logger.getLogger("io.fairlead"), Logger.getLogger("org.eclipse.jetty"));

  private @Nullable ClusterProgram program;
  private @Nullable Path template;

  /// A running cluster in a temporary directory that goes with it.
  record Started(RunningCluster cluster, Path directory) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      cluster.close();
      PackedJars.delete(directory);
    }
  }

  synchronized Started start() {
    ClusterProgram loaded = program == null ? ClusterProgram.load() : program;
    program = loaded;
    for (Logger logger : LOGGERS) {
      if (logger.getLevel() == null) {
        logger.setLevel(Level.WARNING);
      }
    }
    try {
      Path directory = Files.createTempDirectory("fairlead-junit");
      Path from = template;
      if (from != null) {
        return new Started(loaded.start(from, directory), directory);
      }
      RunningCluster first = loaded.start(directory);
      Path made = Files.createTempDirectory("fairlead-junit-template");
      template = made;
      first.writeTemplate(made);
      return new Started(first, directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (template != null) {
      PackedJars.delete(template);
      template = null;
    }
  }
}
