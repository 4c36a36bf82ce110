package io.fairlead.kernel.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandRunnerTest {
  private final CommandRunner tool = CommandRunner.here(Duration.ofSeconds(60));

  @Test
  void inputOutputErrorAndStatusArePassedOn() {
    CommandRunner.Result result =
        tool.run("a line\n", List.of("sh", "-c", "cat; echo complaint >&2; exit 3"));
    assertThat(result).isEqualTo(new CommandRunner.Result(3, "a line\n", "complaint\n"));
    assertThat(result.succeeded()).isFalse();
  }

  @Test
  void aProgramThatReadsNothingDoesNotHang() {
    assertThat(tool.run("x".repeat(1 << 20), List.of("true")).exit()).isZero();
  }

  @Test
  void muchOutputWhileMuchInputDoesNotHang() {
    assertThat(tool.run("x".repeat(1 << 20), List.of("cat")).output()).hasSize(1 << 20);
  }

  @Test
  void aMissingProgramIsNamed() {
    assertThatThrownBy(() -> tool.run("", List.of("no-such-program-here")))
        .hasMessage("no-such-program-here is not installed on this machine");
  }

  @Test
  void aProgramThatNeverEndsIsEnded() {
    CommandRunner quick = CommandRunner.here(Duration.ofMillis(50));
    assertThatThrownBy(() -> quick.run("", List.of("sleep", "100")))
        .hasMessage("sleep did not end within 50 ms");
  }

  @Test
  void aFailedLineIsFoundInTheWordsOfTheTool() {
    assertThat(
            Iptables.failedLine(
                new CommandRunner.Result(2, "", "iptables-restore v1.8.9: line 17 failed\n")))
        .hasValue(17);
    assertThat(Iptables.failedLine(new CommandRunner.Result(1, "", "something else"))).isEmpty();
  }
}
