package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.app.FakeAssembly;
import io.fairlead.app.cli.ArgumentParser;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.Grammar;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.cli.Provokes;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceRecord;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.app.text.Language;
import io.fairlead.app.text.Messages;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  @Provokes(Code.FL206)
  void anEarlyEndIsReportedWithItsCode() {
    Problem problem =
        catchThrowableOfType(Problem.class, () -> run(Duration.ofSeconds(20), "exit 7"));
    assertThat(problem.code()).isEqualTo(Code.FL206);
    assertThat(problem.values().getFirst().toString()).contains("7");
  }

  @Test
  void aProblemOfTheOtherProcessIsPassedOn() {
    assertThat(run(Duration.ofSeconds(20), "echo problem 4 ZXJyb3I6IHgK; exit 4")).isEqualTo(4);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("error: x\n");
  }

  @Test
  @Provokes(Code.FL207)
  void tooLateIsTooLateAndTheProcessIsStopped() {
    Problem problem =
        catchThrowableOfType(
            Problem.class,
            () -> run(Duration.ofMillis(300), "echo began CONTROLLERS; exec sleep 1000.077"));
    assertThat(problem.code()).isEqualTo(Code.FL207);
    assertThat(problem.code().exit()).isEqualTo(124);
    org.awaitility.Awaitility.await()
        .until(
            () ->
                ProcessHandle.allProcesses()
                    .map(process -> ProcessFacts.commandLine(process.pid()).orElse(""))
                    .noneMatch("sleep 1000.077"::equals));
  }

  @Test
  @Provokes(Code.FL212)
  void withoutSetsidUpRefuses() {
    harness.with("PATH", "/nonexistent").with("HOME", data.toString());
    Arguments arguments =
        new ArgumentParser(Map.of())
            .parse(Grammar.UP, List.of("--data-dir", data.resolve("x").toString()));
    var context = harness.context(new ByteArrayOutputStream(), err);
    Problem problem =
        catchThrowableOfType(
            Problem.class, () -> new UpCommand(new FakeAssembly()).run(arguments, context));
    assertThat(problem.code()).isEqualTo(Code.FL212);
    assertThat(data.resolve("x")).doesNotExist();
  }

  @Test
  @Provokes(Code.FL224)
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
  @Provokes(Code.FL225)
  void whereNoLabRunsThereIsNothingToEnter() {
    var result = harness.run("shell", "true", "--data-dir", data.toString());
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err()).contains("(FL225)", data.toString(), "fairlead up --lab");
  }

  @Test
  @Provokes(Code.FL226)
  void whoMayNotChangeTheNetworkIsToldHowElse() {
    Preflight.requireRights(true);
    Problem problem = catchThrowableOfType(Problem.class, () -> Preflight.requireRights(false));
    assertThat(problem.code()).isEqualTo(Code.FL226);
    assertThat(problem.render(Messages.of(Language.EN))).contains("sudo", "--lab");
  }

  @Test
  @Provokes(Code.FL208)
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
  @Provokes(Code.FL213)
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
    Problem problem =
        catchThrowableOfType(
            Problem.class,
            () -> DownCommand.end(foreign, new DataDirectory(data), Duration.ofSeconds(1)));
    assertThat(problem.code()).isEqualTo(Code.FL213);
    assertThat(Optional.of(problem.values().getFirst())).contains(42L);
  }
}
