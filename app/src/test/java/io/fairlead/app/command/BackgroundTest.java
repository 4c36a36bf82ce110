package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.app.FakeComponentFactory;
import io.fairlead.app.cli.ArgumentParser;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Grammar;
import io.fairlead.app.cli.Provokes;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceRecord;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.app.text.Language;
import io.fairlead.app.text.MessageCatalog;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes in the background that do not do what they should.
class BackgroundTest {
  @TempDir Path data;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final CommandLineHarness harness = new CommandLineHarness();

  private int run(Duration timeout, String script) {
    DataDirectory directory = new DataDirectory(data);
    directory.prepare();
    var context = harness.context(new ByteArrayOutputStream(), err);
    return new Background(context, directory, new Display(context))
        .run(List.of("/bin/sh", "-c", script), timeout);
  }

  @Test
  void readyEndsTheWait() {
    int exit =
        run(
            Duration.ofSeconds(20),
            "echo began STORE_AND_API; echo finished STORE_AND_API https://x:1; echo ready");
    assertThat(exit).isZero();
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("✓ store and API", "https://x:1");
  }

  @Test
  @Provokes(ErrorCode.FL206)
  void anEarlyEndIsReportedWithItsCode() {
    FairleadException problem =
        catchThrowableOfType(FairleadException.class, () -> run(Duration.ofSeconds(20), "exit 7"));
    assertThat(problem.code()).isEqualTo(ErrorCode.FL206);
    assertThat(problem.values().getFirst().toString()).contains("7");
  }

  @Test
  void aProblemOfTheOtherProcessIsPassedOn() {
    assertThat(run(Duration.ofSeconds(20), "echo problem 4 ZXJyb3I6IHgK; exit 4")).isEqualTo(4);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("error: x\n");
  }

  @Test
  @Provokes(ErrorCode.FL207)
  void tooLateIsTooLateAndTheProcessIsStopped() {
    FairleadException problem =
        catchThrowableOfType(
            FairleadException.class,
            () -> run(Duration.ofMillis(300), "echo began CONTROLLERS; exec sleep 1000.077"));
    assertThat(problem.code()).isEqualTo(ErrorCode.FL207);
    assertThat(problem.code().exit()).isEqualTo(124);
    org.awaitility.Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> !isRunning("sleep 1000.077"));
  }

  @Test
  void aStepThatIsDoneIsNotWaitedFor() {
    run(
        Duration.ofMinutes(1),
        "echo began CONTROLLERS; echo finished CONTROLLERS; sleep 2.5; echo ready");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("✓ controllers")
        .doesNotContainPattern("(?s)✓ controllers.*waiting for: controllers");
  }

  @Test
  void anInterruptedStartIsStoppedAndSaidToBe() throws Exception {
    DataDirectory directory = new DataDirectory(data);
    directory.prepare();
    var context = harness.context(new ByteArrayOutputStream(), err);
    Background background = new Background(context, directory, new Display(context));
    FutureTask<Integer> start =
        new FutureTask<>(
            () ->
                background.run(
                    List.of("/bin/sh", "-c", "exec sleep 1000.078"), Duration.ofSeconds(60)));
    Thread.ofVirtual().start(start);
    org.awaitility.Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> isRunning("sleep 1000.078"));
    background.interrupt();
    assertThat(start.get()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(isRunning("sleep 1000.078")).isFalse();
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("Interrupted: the start was stopped", "fairlead down")
        .doesNotContain("FL206");
  }

  private static boolean isRunning(String commandLine) {
    return ProcessHandle.allProcesses()
        .map(process -> ProcessFacts.commandLine(process.pid()).orElse(""))
        .anyMatch(commandLine::equals);
  }

  @Test
  @Provokes(ErrorCode.FL212)
  void withoutSetsidUpRefuses() {
    harness.with("PATH", "/nonexistent").with("HOME", data.toString());
    Arguments arguments =
        new ArgumentParser(Map.of())
            .parse(Grammar.UP, List.of("--data-dir", data.resolve("x").toString()));
    var context = harness.context(new ByteArrayOutputStream(), err);
    FairleadException problem =
        catchThrowableOfType(
            FairleadException.class,
            () -> new UpCommand(new FakeComponentFactory()).run(arguments, context));
    assertThat(problem.code()).isEqualTo(ErrorCode.FL212);
    assertThat(data.resolve("x")).doesNotExist();
  }

  @Test
  @Provokes(ErrorCode.FL224)
  void withoutUnshareThereIsNoLab() {
    harness.with("PATH", "/nonexistent").with("HOME", data.toString());
    var result = harness.run("up", "--lab", "--data-dir", data.resolve("x").toString());
    assertThat(result.exit()).isEqualTo(4);
    assertThat(result.err()).contains("(FL224)", "`unshare` (package util-linux)");
    assertThat(data.resolve("x")).doesNotExist();
  }

  @Test
  void aLabIsNotRunInTheForeground() {
    var result =
        harness.run("up", "--lab", "--foreground", "--data-dir", data.resolve("x").toString());
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("(FL305)", "--lab", "--foreground");
  }

  @Test
  @Provokes(ErrorCode.FL225)
  void whereNoLabRunsThereIsNothingToEnter() {
    var result = harness.run("shell", "--data-dir", data.toString(), "true");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err()).contains("(FL225)", data.toString(), "fairlead up --lab");
  }

  @Test
  @Provokes(ErrorCode.FL226)
  void whoMayNotChangeTheNetworkIsToldHowElse() {
    Preflight.requireRights(true);
    FairleadException problem =
        catchThrowableOfType(FairleadException.class, () -> Preflight.requireRights(false));
    assertThat(problem.code()).isEqualTo(ErrorCode.FL226);
    assertThat(problem.render(MessageCatalog.of(Language.EN))).contains("sudo", "--lab");
  }

  @Test
  @Provokes(ErrorCode.FL230)
  void whoCouldTakeNothingAwayIsNotToldThatNothingIsLeft() {
    Arguments agent = new ArgumentParser(Map.of()).parse(Grammar.AGENT, List.of("--cleanup"));
    Preflight.requireCleanupRights(true, agent);
    FairleadException problem =
        catchThrowableOfType(
            FairleadException.class, () -> Preflight.requireCleanupRights(false, agent));
    assertThat(problem.code().exit()).isEqualTo(ExitCode.PREFLIGHT_REFUSED);
    assertThat(problem.render(MessageCatalog.of(Language.EN)))
        .contains("(FL230)", "sudo fairlead agent --cleanup");
  }

  @Test
  @Provokes(ErrorCode.FL232)
  void aDirectoryThatIsClosedDoesNotPassForEmpty() {
    Arguments down =
        new ArgumentParser(Map.of()).parse(Grammar.verb("down").orElseThrow(), List.of());
    DataDirectory directory = new DataDirectory(data);
    DataDirectories.refuse(directory.closedBy(), directory, down);
    FairleadException problem =
        catchThrowableOfType(
            FairleadException.class,
            () -> DataDirectories.refuse(Optional.of("root"), directory, down));
    assertThat(problem.render(MessageCatalog.of(Language.EN)))
        .contains("(FL232)", "belongs to root", "sudo fairlead down --data-dir " + data);
  }

  @Test
  @Provokes(ErrorCode.FL208)
  void aProcessThatIgnoresTheSignalIsNamed() throws Exception {
    Process stubborn =
        new ProcessBuilder("/bin/sh", "-c", "trap '' TERM; echo set; while :; do sleep 1; done")
            .start();
    try {
      assertThat(stubborn.inputReader().readLine()).isEqualTo("set");
      DataDirectory directory = new DataDirectory(data);
      directory.prepare();
      new InstanceRecord(
              InstanceRecord.Phase.READY,
              stubborn.pid(),
              ProcessFacts.startTicks(stubborn.pid()).orElseThrow(),
              Instant.EPOCH,
              "127.0.0.1",
              0,
              "",
              "")
          .write(directory);
      var result = harness.run("down", "--data-dir", data.toString(), "--timeout", "1");
      assertThat(result.exit()).isEqualTo(124);
      assertThat(result.err()).contains("(FL208)", "kill -9 " + stubborn.pid());
    } finally {
      stubborn.destroyForcibly();
    }
  }

  @Test
  @Provokes(ErrorCode.FL213)
  void aProcessOfSomebodyElseIsNotOursToStop() {
    ProcessHandle.Info info = ProcessHandle.current().info();
    ProcessHandle foreign =
        (ProcessHandle)
            Proxy.newProxyInstance(
                BackgroundTest.class.getClassLoader(),
                new Class<?>[] {ProcessHandle.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "destroy" -> false;
                      case "isAlive" -> true;
                      case "pid" -> 42L;
                      case "info" -> info;
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    FairleadException problem =
        catchThrowableOfType(
            FairleadException.class,
            () -> DownCommand.end(foreign, new DataDirectory(data), Duration.ofSeconds(1)));
    assertThat(problem.code()).isEqualTo(ErrorCode.FL213);
    assertThat(Optional.of(problem.values().getFirst())).contains(42L);
  }
}
