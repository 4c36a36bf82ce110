package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.QuickBuild;
import io.fairlead.e2e.Repository;
import io.fairlead.kernel.testing.UserModeLinux;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// The walkthrough in mode ipvs, in a guest whose kernel has IPVS; and a proxy that is led to that
/// mode by the cluster's configuration and from mode to mode by command, in another guest at the
/// same time, for a guest has one processor.
@Tag("system")
@Tag("slow")
class IpvsWalkTest {
  private static final int MEMORY = 2048;
  private static final Duration LIMIT = Duration.ofMinutes(15);

  private static final @Nullable String KUBECTL = System.getenv("FAIRLEAD_TEST_KUBECTL");
  private static final Path TEMPORARY = Path.of("/tmp");

  /// A `/tmp` that can be written to, with those directories of the machine's that are named; then
  /// from inside of the repository.
  private static final String PREPARED =
      """
      mkdir /run/outside && mount --rbind /tmp /run/outside && mount -t tmpfs tmpfs /tmp || exit 1
      for each in $2; do
        mkdir "/tmp/$each" && mount --rbind "/run/outside/$each" "/tmp/$each" || exit 1
      done
      cd "$1" && shift 2 && exec "$@"
      """;

  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> holdsInTheGuest() throws IOException {
    DocumentSandbox.assumeItCanBeHad();
    assertThat(UserModeLinux.missing()).as("what a guest needs").isEmpty();
    List<FutureTask<UserModeLinux.RunResult>> walks = new ArrayList<>();
    for (String page : WalkInGuest.PAGES) {
      walks.add(walk(page, Files.createTempDirectory(directory, "guest")));
    }
    return Stream.iterate(0, i -> i < walks.size(), i -> i + 1)
        .map(
            i ->
                DynamicTest.dynamicTest(
                    WalkInGuest.PAGES.get(i),
                    () -> {
                      // A task runs once, however many threads want to.
                      walks.forEach(each -> Thread.ofPlatform().name("guest").start(each));
                      UserModeLinux.RunResult ended = walks.get(i).get();
                      System.out.println(ended.output());
                      assertThat(ended.exit()).as(ended.output()).isZero();
                    }));
  }

  /// What lies below `/tmp` of all that is needed.
  private static String temporary(Path own) {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
    return Stream.concat(
            Stream.of(own, Repository.root(), Path.of(Objects.requireNonNullElse(KUBECTL, "/"))),
            Stream.of(classPath.split(":")).map(Path::of))
        .filter(path -> path.startsWith(TEMPORARY) && path.getNameCount() > 1)
        .map(path -> path.getName(1).toString())
        .distinct()
        .collect(Collectors.joining(" "));
  }

  private static FutureTask<UserModeLinux.RunResult> walk(String page, Path own) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "sh", "-c", PREPARED, "sh", Repository.root().toString(), temporary(own), "env"));
    if (KUBECTL != null) {
      words.add("FAIRLEAD_TEST_KUBECTL=" + KUBECTL);
    }
    words.addAll(
        UserModeLinux.java(
            List.of(),
            WalkInGuest.class.getName(),
            List.of(page, QuickBuild.shared().directory().toString())));
    return new FutureTask<>(() -> UserModeLinux.in(own).withMemory(MEMORY).run(words, LIMIT));
  }
}
