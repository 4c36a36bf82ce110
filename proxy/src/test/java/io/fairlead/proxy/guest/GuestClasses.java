package io.fairlead.proxy.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.fairlead.kernel.testing.Guest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// Boots one guest for several test classes and hands every outcome on as a test of its own.
public final class GuestClasses {
  private GuestClasses() {}

  /// Runs classes that surefire does not pick up by name. What a class printed goes to our output
  /// when the guest did not get to its end.
  public static Stream<DynamicTest> run(Path directory, Duration limit, List<Class<?>> classes)
      throws IOException {
    Guest.missing().ifPresent(why -> fail("no guest can be booted: %s", why));
    Path outcomes = directory.resolve("outcomes");
    List<String> arguments = new ArrayList<>(List.of(outcomes.toString()));
    classes.forEach(each -> arguments.add(each.getName()));
    List<DynamicTest> tests = new ArrayList<>();
    tests.add(
        DynamicTest.dynamicTest(
            "the guest runs to its end",
            () -> {
              Guest.Ended ended =
                  Guest.in(directory)
                      .run(Guest.java(List.of(), GuestRun.class.getName(), arguments), limit);
              assertThat(ended.exit()).as(ended.output()).isZero();
              assertThat(Files.readAllLines(outcomes)).as(ended.output()).isNotEmpty();
            }));
    return Stream.concat(
        tests.stream(), Stream.of(true).flatMap(_ -> read(outcomes).map(GuestClasses::test)));
  }

  private static Stream<String> read(Path outcomes) {
    try {
      return Files.exists(outcomes) ? Files.readAllLines(outcomes).stream() : Stream.of();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static DynamicTest test(String line) {
    String[] words = line.split(" ");
    return DynamicTest.dynamicTest(
        decoded(words[1]),
        () -> {
          if (!words[0].equals("passed")) {
            fail(decoded(words[2]));
          }
        });
  }

  private static String decoded(String word) {
    return new String(Base64.getDecoder().decode(word.substring(1)), StandardCharsets.UTF_8);
  }
}
