package io.fairlead.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// No source file is too long to be read in one sitting.
class FileLengthTest {
  private static final int LONGEST = 600;

  @Test
  void noJavaFileIsLongerThan600Lines() throws IOException {
    Path root = Repository.root();
    try (Stream<Path> files = Files.walk(root)) {
      List<String> tooLong =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !root.relativize(file).toString().contains("target/"))
              .filter(file -> lines(file) > LONGEST)
              .map(file -> root.relativize(file) + ": " + lines(file) + " lines")
              .toList();
      assertThat(tooLong).isEmpty();
    }
  }

  private static long lines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }
}
