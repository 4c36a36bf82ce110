package io.fairlead.proxy.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.fairlead.kernel.testing.UserModeLinux;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// Boots guests for test classes and hands every outcome on as a test of its own. A guest has one
/// processor, so several share the work.
public final class GuestClasses {
  private static final String OUTCOMES = "outcomes";

  private GuestClasses() {}

  /// Runs classes that surefire does not pick up by name. What a class printed goes to our output
  /// when its guest did not get to its end.
  ///
  /// @param guests the classes of each guest; all guests run at the same time
  /// @param limit for each guest
  @SafeVarargs
  public static Stream<DynamicTest> run(Path directory, Duration limit, List<Class<?>>... guests)
      throws IOException {
    UserModeLinux.missing().ifPresent(why -> fail("no guest can be booted: %s", why));
    List<FutureTask<UserModeLinux.RunResult>> runs = new ArrayList<>();
    Stream<DynamicTest> tests = Stream.of();
    for (int i = 0; i < guests.length; i++) {
      Path own = Files.createDirectory(directory.resolve("guest" + i));
      FutureTask<UserModeLinux.RunResult> run = run(own, limit, guests[i]);
      runs.add(run);
      // One after the other: what a guest has noted is read when its end was awaited.
      tests = Stream.concat(tests, tests("guest " + i, own.resolve(OUTCOMES), run, runs));
    }
    return tests;
  }

  private static FutureTask<UserModeLinux.RunResult> run(
      Path own, Duration limit, List<Class<?>> classes) {
    List<String> arguments = new ArrayList<>(List.of(own.resolve(OUTCOMES).toString()));
    classes.forEach(each -> arguments.add(each.getName()));
    List<String> command = UserModeLinux.java(settings(), GuestRun.class.getName(), arguments);
    return new FutureTask<>(() -> UserModeLinux.in(own).run(command, limit));
  }

  /// @param all to be begun when no other test has
  private static Stream<DynamicTest> tests(
      String name,
      Path outcomes,
      FutureTask<UserModeLinux.RunResult> run,
      List<FutureTask<UserModeLinux.RunResult>> all) {
    DynamicTest whole =
        DynamicTest.dynamicTest(
            name + " runs to its end",
            () -> {
              // A task runs once, however many threads want to.
              all.forEach(each -> Thread.ofPlatform().name("guest").start(each));
              UserModeLinux.RunResult ended = run.get();
              assertThat(ended.exit()).as(ended.output()).isZero();
              assertThat(Files.readAllLines(outcomes)).as(ended.output()).isNotEmpty();
            });
    return Stream.concat(
        Stream.of(whole), Stream.of(true).flatMap(_ -> read(outcomes).map(GuestClasses::test)));
  }

  /// What this process was told about tests, for those in the guest.
  private static List<String> settings() {
    return System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith("fairlead."))
        .map(name -> "-D" + name + "=" + System.getProperty(name))
        .toList();
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
          System.out.printf("%8s ms in the guest: %s%n", words[3], decoded(words[1]));
          if (!words[0].equals("passed")) {
            fail(decoded(words[2]));
          }
        });
  }

  private static String decoded(String word) {
    return new String(Base64.getDecoder().decode(word.substring(1)), StandardCharsets.UTF_8);
  }
}
