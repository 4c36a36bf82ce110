package io.fairlead.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The files of the repository, for tests about the code itself.
final class SourceTree {
  private SourceTree() {}

  /// The modules: directories at the root with a `pom.xml`, in alphabetical order.
  static List<String> modules() {
    try (Stream<Path> found = Files.list(Repository.root())) {
      return found
          .filter(each -> Files.exists(each.resolve("pom.xml")))
          .map(each -> each.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The files of main code that hold a type, all modules.
  static List<Path> mainTypes() {
    return modules().stream()
        .map(module -> Path.of(module, "src/main/java"))
        .flatMap(directory -> files(directory, ".java").stream())
        .filter(file -> !typeName(file).contains("-"))
        .toList();
  }

  /// The files with that ending in a directory and below, relative to the root, without built ones.
  static List<Path> files(Path directory, String ending) {
    Path root = Repository.root();
    if (!Files.exists(root.resolve(directory))) {
      return List.of();
    }
    try (Stream<Path> found = Files.walk(root.resolve(directory))) {
      return found
          .filter(file -> Files.isRegularFile(file) && file.toString().endsWith(ending))
          .map(root::relativize)
          .filter(file -> !file.toString().contains("target/"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(Repository.root().resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String module(Path file) {
    return file.getName(0).toString();
  }

  /// The name of the top-level type in a file.
  static String typeName(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }
}
