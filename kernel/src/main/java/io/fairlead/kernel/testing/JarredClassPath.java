package io.fairlead.kernel.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.spi.ToolProvider;

/// Makes a class path without directories: a JVM keeps classes ready in a cache only when they come
/// from jars. For tests that start many JVMs.
public final class JarredClassPath {
  private JarredClassPath() {}

  /// The class path of this process, with a jar in the place of each directory.
  ///
  /// @param directory where the jars go
  /// @param wanted which of its entries are taken over
  public static String make(Path directory, Predicate<Path> wanted) {
    List<String> entries = new ArrayList<>();
    for (String entry : own().split(":")) {
      Path path = Path.of(entry);
      if (!Files.exists(path) || !wanted.test(path)) {
        continue;
      }
      entries.add(
          Files.isDirectory(path)
              ? jar(path, directory.resolve(entries.size() + ".jar")).toString()
              : entry);
    }
    return String.join(":", entries);
  }

  /// The class path of this process, also where surefire hides it.
  static String own() {
    return System.getProperty(
        "surefire.test.class.path", System.getProperty("java.class.path", ""));
  }

  private static Path jar(Path classes, Path jar) {
    ToolProvider tool =
        ToolProvider.findFirst("jar")
            .orElseThrow(() -> new IllegalStateException("this Java has no tool jar"));
    int status =
        tool.run(
            System.out,
            System.err,
            "--create",
            "--no-compress",
            "--file=" + jar,
            "-C",
            classes.toString(),
            ".");
    if (status != 0) {
      throw new IllegalStateException("no jar could be made of " + classes);
    }
    return jar;
  }
}
