package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.app.cli.CommandDispatcher;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.tour.TourPage;
import io.fairlead.app.tour.TourStep;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `fairlead tour` with a page of a test, and what it makes of the real one.
class TourCommandTest {
  private static final String PAGE =
      """
      # A walk

      Read the [manual](../README.md).

      <!-- varies: x -->
      ```console
      $ word=hello
      $ echo "$word, it's me"
      hello, it's me
      ```

      This one fails.

      <!-- fails -->
      ```console
      $ false
      ```
      <!-- not run: needs another machine -->
      ```console
      $ echo never
      ```
      <!-- in mode ipvs -->
      ```console
      $ echo rare
      ```
      ```console
      $ [ -e go ] && for i in 1 2
      > do echo "turn $i"; done
      ```

      The end of it.
      """;

  @TempDir Path home;
  @TempDir Path state;

  private final CommandLineHarness harness = new CommandLineHarness();

  @BeforeEach
  void write() throws IOException {
    Files.createDirectories(home.resolve("docs/zh-CN"));
    Files.writeString(home.resolve("docs/walkthrough.md"), PAGE);
    Files.writeString(
        home.resolve("docs/zh-CN/walkthrough.md"), PAGE.replace("The end of it.", "到此为止。"));
    harness.property("fairlead.home", home.toString()).with("XDG_STATE_HOME", state.toString());
  }

  private Path progress() {
    return state.resolve("fairlead/tour");
  }

  @Test
  void aStepThatFailsStopsItAndTheNextTourGoesOnThere() throws IOException {
    var stopped = harness.run("tour", "--yes");
    assertThat(stopped.exit()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(stopped.out())
        .contains("in 3 steps", "Read the manual.", "$ echo \"$word, it's me\"", "hello, it's me")
        .contains("step 2 of 3", "step 3 of 3", "exit code 1", "Stopped at step 3")
        .doesNotContain("never", "rare", "turn 1");
    assertThat(progress()).content().isEqualTo("3\n");

    Files.createFile(home.resolve("go"));
    var again = harness.run("tour", "--yes");
    assertThat(again.exit()).isZero();
    assertThat(again.out())
        .contains("Going on with step 3 of 3", "turn 1\nturn 2", "The end of it.", "That was")
        .doesNotContain("step 1 of 3");
    assertThat(progress()).doesNotExist();
  }

  private String typing(String keys) {
    CommandDispatcher shell =
        new CommandDispatcher(
            Map.of(
                "tour",
                () ->
                    new TourCommand(
                        new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8)))));
    return harness.run(shell, "tour").out();
  }

  @Test
  void enterRunsAStepSSkipsItAndQStops() throws IOException {
    assertThat(typing("\ns\nq\n"))
        .contains("hello, it's me", "step 3 of 3", "Stopped at step 3")
        .doesNotContain("exit code");
    assertThat(progress()).content().isEqualTo("3\n");
    assertThat(typing("\nr\n\n")).contains("exit code 1", "r runs it again", "That was the tour.");
  }

  @Test
  void aKeyboardThatIsGoneStopsIt() {
    assertThat(typing("")).contains("Stopped at step 1");
  }

  @Test
  void itCanBeginAgain() throws IOException {
    Files.createDirectories(progress().getParent());
    Files.writeString(progress(), "3\n");
    Files.createFile(home.resolve("go"));
    assertThat(harness.run("tour", "--yes", "--restart").out()).contains("step 1 of 3");
  }

  @Test
  void paragraphsFitTheTerminal() throws IOException {
    String words = "a page\nhas lines of\nits own";
    Files.writeString(
        home.resolve("docs/walkthrough.md"),
        "# Title\n"
            + words
            + "\n\n1. one\n   more\n2. two\n\n```console\n$ true\n```\n"
            + (words + "\n").repeat(2)
            + "\n| one reads | but |\n|---|---|\n| this | that |\n");
    assertThat(harness.with("COLUMNS", "41").run("tour", "--yes").out())
        .contains("# Title\na page has lines of its own\n", "\n1. one more\n2. two\n")
        .contains("\na page has lines of its own a page has\nlines of its own\n")
        .contains("\n- one reads: but\n- this: that\n");
  }

  @Test
  void whereProgressCannotBeKeptTheTourIsStillTaken() throws IOException {
    Files.createFile(home.resolve("go"));
    Path file = Files.createFile(state.resolve("file"));
    harness.with("XDG_STATE_HOME", file.toString());
    var result = harness.run("tour", "--yes");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err())
        .isEqualTo(
            "How far you come is not kept: "
                + file
                + "/fairlead/tour cannot be written. The next tour begins at the first step.\n");
  }

  @Test
  void itSpeaksTheUsersLanguage() throws IOException {
    Files.createFile(home.resolve("go"));
    harness.with("FAIRLEAD_LANG", "zh-CN");
    assertThat(harness.run("tour", "--yes").out()).contains("第 1 步，共 3 步", "到此为止。");
  }

  @Test
  void withoutThePageItIsSaid() throws IOException {
    Files.delete(home.resolve("docs/walkthrough.md"));
    assertThat(harness.run("tour", "--yes").err()).contains("FL304", "walkthrough.md");
  }

  @Test
  void theRealPagesHaveTheSameStepsInBothLanguages() throws IOException {
    List<TourStep> english = steps("walkthrough.md");
    List<TourStep> chinese = steps("zh-CN/walkthrough.md");
    assertThat(english).hasSizeGreaterThan(30);
    assertThat(chinese.stream().map(TourStep::commands).toList())
        .isEqualTo(english.stream().map(TourStep::commands).toList());
    assertThat(english.getFirst().commands()).first().asString().contains("fairlead up");
    assertThat(english.getLast().commands()).last().asString().contains("fairlead down");
  }

  private static List<TourStep> steps(String page) throws IOException {
    return TourPage.parse(Files.readAllLines(Path.of("..", "docs").resolve(page))).steps();
  }
}
