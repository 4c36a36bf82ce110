package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every vector of the specification of the web page is a named test: of the host in Java, of the
/// front end's functions, or in a real browser.
class UiVectorsCoverageTest {
  private static final int VECTORS = 48;

  /// A name in a string or of a method: `vector 9:`, `vectors 2 and 3`, `vector44FilesArePacked`.
  private static final Pattern NAME =
      Pattern.compile("\\bvectors? ?([0-9]{1,2})(?: and ([0-9]{1,2}))?(?![0-9])");

  private static final List<String> DIRECTORIES =
      List.of(
          "ui/src/test",
          "ui/web/test",
          "ui/web/browser",
          "app/src/test/java/io/fairlead/app/command/UiCommandTest.java",
          "e2e/src/test/java/io/fairlead/e2e/up/UiPageTest.java");

  private static Set<Integer> found() throws IOException {
    Set<Integer> found = new TreeSet<>();
    for (String directory : DIRECTORIES) {
      try (Stream<Path> files = Files.walk(Repository.root().resolve(directory))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          for (Matcher names = NAME.matcher(Files.readString(file)); names.find(); ) {
            found.add(Integer.valueOf(names.group(1)));
            if (names.group(2) != null) {
              found.add(Integer.valueOf(names.group(2)));
            }
          }
        }
      }
    }
    return found;
  }

  @Test
  void everyVectorIsANamedTest() throws IOException {
    Set<Integer> missing =
        IntStream.rangeClosed(1, VECTORS).boxed().collect(Collectors.toCollection(TreeSet::new));
    missing.removeAll(found());
    assertThat(missing).isEmpty();
  }
}
