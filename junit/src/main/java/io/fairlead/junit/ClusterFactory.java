package io.fairlead.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

  /// Why no node can run on this machine; empty when one can.
  synchronized Optional<String> nodeObstacle() {
    return program().nodeObstacle();
  }

  private ClusterProgram program() {
    ClusterProgram loaded = program == null ? ClusterProgram.load() : program;
    program = loaded;
    return loaded;
  }

  synchronized Started start(boolean node) {
    ClusterProgram loaded = program();
    for (Logger logger : LOGGERS) {
      if (logger.getLevel() == null) {
        logger.setLevel(Level.WARNING);
      }
    }
    try {
      Path directory = Files.createTempDirectory("fairlead-junit");
      try {
        return new Started(started(loaded, node, directory), directory);
      } catch (IOException | RuntimeException e) {
        PackedJars.delete(directory);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RunningCluster started(ClusterProgram loaded, boolean node, Path directory)
      throws IOException {
    Path from = template;
    if (from != null) {
      return loaded.start(node, from, directory);
    }
    RunningCluster first = loaded.start(node, directory);
    if (!node) {
      // A node leaves objects that others must not find.
      Path made = Files.createTempDirectory("fairlead-junit-template");
      template = made;
      first.writeTemplate(made);
    }
    return first;
  }

  @Override
  public synchronized void close() throws IOException {
    if (template != null) {
      PackedJars.delete(template);
      template = null;
    }
  }
}
