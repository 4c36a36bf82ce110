package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every vector, fault and attack of the specification of load balancers is a named test.
class LoadBalancerVectorsCoverageTest {
  /// A name in a string or of a method: `LV35`, `lv54AndLv55`.
  private static final Pattern NAME =
      Pattern.compile("(?:(?<![A-Za-z])[Ll]|(?<=And|To)L)([VFXvfx])([0-9]{1,2})(?![0-9])");

  private static final List<String> MODULES =
      List.of("api", "kernel", "controller", "proxy", "server", "insight", "app");

  private static Set<String> wanted() {
    Set<String> all = new TreeSet<>();
    IntStream.rangeClosed(1, 79).forEach(i -> all.add("LV" + i));
    IntStream.rangeClosed(1, 13).forEach(i -> all.add("LF" + i));
    IntStream.rangeClosed(1, 10).forEach(i -> all.add("LX" + i));
    return all;
  }

  private static Set<String> found() throws IOException {
    Set<String> found = new TreeSet<>();
    for (String module : MODULES) {
      try (Stream<Path> files =
          Files.walk(Repository.root().resolve(module).resolve("src/test/java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          for (Matcher names = NAME.matcher(Files.readString(file)); names.find(); ) {
            found.add("L" + names.group(1).toUpperCase(Locale.ROOT) + names.group(2));
          }
        }
      }
    }
    return found;
  }

  @Test
  void everyVectorIsANamedTest() throws IOException {
    Set<String> missing = new TreeSet<>(wanted());
    missing.removeAll(found());
    assertThat(missing).isEmpty();
  }
}
