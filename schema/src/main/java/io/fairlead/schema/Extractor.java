package io.fairlead.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Writes the schema resource. Run by the build after this module is compiled: `Extractor OUTPUT`.
///
/// Costs about two seconds, so it does nothing when the output is newer than every class and
/// library it is made from.
public final class Extractor {
  private Extractor() {}

  public static void main(String[] arguments) throws IOException {
    Path output = Path.of(arguments[0]);
    if (isUpToDate(output, System.getProperty("java.class.path"))) {
      return;
    }
    Files.createDirectories(output.getParent());
    Files.writeString(output, text(), StandardCharsets.UTF_8);
  }

  /// The whole resource, one line per struct and one per field; see [SchemaLineFormat].
  static String text() {
    SchemaJoiner join = new SchemaJoiner();
    for (RootKinds.Root root : RootKinds.all()) {
      join.add(root.message(), root.model());
    }
    return join.text();
  }

  private static boolean isUpToDate(Path output, String classPath) throws IOException {
    if (!Files.exists(output)) {
      return false;
    }
    long written = Files.getLastModifiedTime(output).toMillis();
    for (String entry : classPath.split(java.io.File.pathSeparator, -1)) {
      if (newest(Path.of(entry)) > written) {
        return false;
      }
    }
    return true;
  }

  private static long newest(Path entry) throws IOException {
    if (!Files.exists(entry)) {
      return 0;
    }
    if (!Files.isDirectory(entry)) {
      return Files.getLastModifiedTime(entry).toMillis();
    }
    try (Stream<Path> files = Files.walk(entry)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .mapToLong(Extractor::modified)
          .max()
          .orElse(0);
    }
  }

  private static long modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toMillis();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
