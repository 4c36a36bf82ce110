package io.fairlead.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fairlead.app.cli.ArgumentParser;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Grammar;
import io.fairlead.kernel.process.CommandRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The unit file for systemd calls what there is.
class ServiceUnitTest {
  @TempDir Path directory;

  @Test
  void theCommandOfTheUnitIsOne() throws Exception {
    List<String> lines = Files.readAllLines(unit());
    String command =
        lines.stream()
            .filter(line -> line.startsWith("ExecStart="))
            .map(line -> line.substring("ExecStart=".length()))
            .findFirst()
            .orElseThrow();
    List<String> words = List.of(command.split(" "));
    assertThat(words.subList(0, 2)).containsExactly("/opt/fairlead/bin/fairlead", "up");
    Path file = Files.writeString(directory.resolve("fairlead.yaml"), "");
    List<String> flags =
        words.stream()
            .skip(2)
            .map(word -> word.replace("/etc/fairlead.yaml", file.toString()))
            .toList();
    Arguments arguments = new ArgumentParser(Map.of()).parse(Grammar.UP, flags);
    assertThat(arguments.on("foreground")).isTrue();
    assertThat(arguments.path("config")).contains(file);
    // The process that says it is ready is a child of the one that systemd started.
    assertThat(lines).contains("Type=notify", "NotifyAccess=all");
  }

  @Test
  @Tag("system")
  void systemdFindsNothingWrongWithIt() throws Exception {
    assumeThat(CommandRunner.find("systemd-analyze")).as("systemd is installed").isPresent();
    Path copy = directory.resolve("fairlead.service");
    Files.writeString(
        copy, Files.readString(unit()).replace("/opt/fairlead/bin/fairlead", "/bin/true"));
    CommandRunner.Result said =
        CommandRunner.here(Duration.ofMinutes(2))
            .run("", List.of("systemd-analyze", "verify", copy.toString()));
    assertThat(said.exit()).as(said.error()).isZero();
    // It also speaks of other units that it loads on the way.
    assertThat((said.output() + said.error()).lines())
        .noneMatch(line -> line.contains(copy.toString()));
  }

  private static Path unit() {
    return Stream.of(Path.of("bin"), Path.of("../bin"))
        .map(bin -> bin.resolve("fairlead.service"))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow();
  }
}
