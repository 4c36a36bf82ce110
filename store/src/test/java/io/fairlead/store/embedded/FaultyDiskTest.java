package io.fairlead.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A disk that answers with errors or slowly, made by letting strace change the answers of system
/// calls: SQLite meets what the kernel would tell it.
@Tag("system")
class FaultyDiskTest {
  @TempDir Path base;

  @Test
  void aSyncThatFailsRefusesTheCommitAndWritingGoesOnByItself() throws Exception {
    List<String> said = run("fsync,fdatasync", "error=EIO:when=20..24");
    assertRefusedThenRecovered(said, "answers with an error");
  }

  @Test
  void aWriteThatFailsRefusesTheCommitAndWritingGoesOnByItself() throws Exception {
    List<String> said = run("pwrite64", "error=EIO:when=150..160");
    assertRefusedThenRecovered(said, "answers with an error");
  }

  @Test
  void aSlowSyncDelaysTheCommitButNoReadAndNoWatch() throws Exception {
    List<String> said = run("fsync,fdatasync", "delay_enter=2000000:when=20");
    assertThat(said).noneMatch(line -> line.startsWith("refused"));
    assertThat(number(said, "slowest commit ")).as("milliseconds").isGreaterThan(1900);
    assertThat(number(said, "slowest read ")).as("milliseconds").isLessThan(1000);
    assertOpensWith(said);
  }

  private void assertRefusedThenRecovered(List<String> said, String reason) {
    List<String> refusals = said.stream().filter(line -> line.startsWith("refused ")).toList();
    assertThat(refusals)
        .isNotEmpty()
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains(reason)
                    .contains(base.resolve("store").toString())
                    .contains("writes go on by themselves"));
    int last = said.lastIndexOf(refusals.getLast());
    assertThat(said.subList(last, said.size()))
        .as("commits after the last refusal")
        .anyMatch(line -> line.startsWith("committed "));
    assertOpensWith(said);
  }

  /// Nothing acknowledged is lost and each revision was acknowledged once.
  private void assertOpensWith(List<String> said) {
    List<Long> acknowledged =
        said.stream()
            .filter(line -> line.startsWith("committed "))
            .map(line -> Long.parseLong(line.substring("committed ".length())))
            .toList();
    assertThat(acknowledged).doesNotHaveDuplicates().isSorted().hasSizeGreaterThan(20);
    assertThat(number(said, "watched ")).as("changes the watch saw").isEqualTo(acknowledged.size());
    assertThat(number(said, "keys ")).isEqualTo(acknowledged.size());
    Path directory = base.resolve("store");
    try (EmbeddedStore store = EmbeddedStore.open(directory)) {
      assertThat(store.revision()).isEqualTo(acknowledged.getLast());
      for (long revision : acknowledged) {
        assertThat(store.get("/k" + revision)).as("/k" + revision).isNotNull();
      }
    }
    assertThat(StoreFiles.check(directory)).isEmpty();
  }

  private static long number(List<String> said, String prefix) {
    return said.stream()
        .filter(line -> line.startsWith(prefix))
        .mapToLong(line -> Long.parseLong(line.substring(prefix.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line " + prefix + " in " + said));
  }

  /// Runs the child with a fault in some of those calls of each thread.
  private List<String> run(String calls, String fault) throws IOException, InterruptedException {
    boolean installed =
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(each -> Files.isExecutable(Path.of(each, "strace")));
    Assumptions.assumeTrue(
        installed, "strace is not installed: `apt-get install strace` makes this test run");
    Path out = base.resolve("out");
    Path err = base.resolve("err");
    List<String> command =
        new ArrayList<>(List.of("strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=" + calls));
    command.addAll(
        List.of("-e", "inject=" + calls + ":" + fault, "-o", base.resolve("trace").toString()));
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            FaultyDiskChild.class.getName(),
            base.resolve("store").toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    int exit = process.waitFor();
    String errors = Files.readString(err);
    Assumptions.assumeFalse(
        errors.contains("PTRACE") && errors.contains("not permitted"),
        "strace may not trace here: this test needs the right to use ptrace");
    assertThat(exit).as(errors).isZero();
    assertThat(Files.readString(base.resolve("trace")))
        .as("the fault")
        .containsPattern("INJECTED|DELAYED");
    return Files.readAllLines(out);
  }
}
