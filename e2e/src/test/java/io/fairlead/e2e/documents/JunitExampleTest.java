package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.Repository;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The projects in `examples/junit` and `examples/operator`, built as a stranger builds them: by
/// Maven, with nothing of ours but the artifact `fairlead-junit`.
///
/// Maven gets a repository of links to the one of this machine, except that `io.fairlead` holds
/// this build's jar and poms and nothing else. So nothing is installed, and what the poms forget is
/// found.
@Tag("system")
class JunitExampleTest {
  private static final String VERSION = "0.1.0";

  @TempDir Path directory;

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "JUnit 6, junit, '', 4, 1",
    "JUnit 5, junit, -Djunit5, 4, 1",
    "Java Operator SDK and Helm, operator, '', 4, 0"
  })
  void theExampleBuildsAndItsTestsPass(
      String name, String example, String option, int tests, int withNode) throws Exception {
    Path project = directory.resolve("project");
    copy(Repository.root().resolve("examples").resolve(example), project);
    Path output = directory.resolve("output");
    List<String> command =
        new ArrayList<>(
            List.of(
                "mvn",
                "-B",
                "-ntp",
                "-Dmaven.repo.local=" + repository(),
                "-f",
                project.toString(),
                "test"));
    if (!option.isEmpty()) {
      command.add(option);
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("XDG_CACHE_HOME", directory.resolve("cache").toString());
    Process maven = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    int exit = maven.waitFor();
    String text = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(exit).as(name + "\n" + text).isZero();
    assertThat(text)
        .contains(
            "Tests run: %d, Failures: 0, Errors: 0, Skipped: %d"
                .formatted(tests + withNode, mayHaveNode() ? 0 : withNode));
    assertThat(text).as("what goes well is quiet").doesNotContain("io.fairlead.server");
  }

  /// Whether this machine lets the examples make a lab.
  private static boolean mayHaveNode() {
    return CommandRunner.here(Duration.ofSeconds(20))
        .run("", List.of("unshare", "--user", "--map-root-user", "--net", "--mount", "true"))
        .succeeded();
  }

  @Test
  void theReadmeShowsItsTest() throws IOException {
    List<String> source =
        stripped(
            Files.readAllLines(
                Repository.root()
                    .resolve("examples/junit/src/test/java/example/PublisherTest.java")));
    List<FencedBlock> shown =
        MarkdownDocument.read(Repository.root(), "README.md").blocks().stream()
            .filter(block -> block.info().equals("java"))
            .toList();
    assertThat(shown).isNotEmpty();
    for (FencedBlock block : shown) {
      assertThat(source).containsSequence(stripped(block.text()));
    }
  }

  private static List<String> stripped(List<String> lines) {
    return lines.stream().map(String::strip).toList();
  }

  private Path repository() throws IOException {
    Path all = Path.of(System.getProperty("localRepository", home()));
    Path mine = Files.createDirectories(directory.resolve("repository"));
    // What Maven fetches goes through a link into the repository of this machine, and stays there.
    for (String group : List.of("io/fabric8", "io/javaoperatorsdk", "io/kubernetes", "com")) {
      Files.createDirectories(all.resolve(group));
    }
    links(all, mine, "io");
    links(all.resolve("io"), Files.createDirectories(mine.resolve("io")), "fairlead");
    Path root = Repository.root();
    install(mine, "fairlead", root.resolve("pom.xml"));
    install(mine, "fairlead-junit", root.resolve("junit/pom.xml"));
    Path jar = root.resolve("junit/target/fairlead-junit-" + VERSION + ".jar");
    assertThat(jar).as("made by mvn -pl junit -am package").exists();
    Files.copy(jar, place(mine, "fairlead-junit").resolve(jar.getFileName()));
    return mine;
  }

  private static String home() {
    return Path.of(System.getProperty("user.home"), ".m2", "repository").toString();
  }

  private static void links(Path from, Path to, String except) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(from)) {
      for (Path entry : entries) {
        if (!entry.getFileName().toString().equals(except)) {
          Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
        }
      }
    }
  }

  private static Path place(Path repository, String artifact) throws IOException {
    return Files.createDirectories(repository.resolve("io/fairlead/" + artifact + "/" + VERSION));
  }

  private static void install(Path repository, String artifact, Path pom) throws IOException {
    Files.copy(pom, place(repository, artifact).resolve(artifact + "-" + VERSION + ".pom"));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (from.relativize(file).startsWith("target")) {
          continue;
        }
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }
}
