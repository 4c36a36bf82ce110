package io.fairlead.e2e.agent;

import static io.fairlead.e2e.agent.NodeInstance.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fairlead.e2e.kubectl.Kubectl;
import io.fairlead.kernel.process.CommandRunner;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// Logs, exec, attach, port-forward and proxies with the kubectl that people have: the old ones
/// speak SPDY, the new ones WebSocket.
@Tag("system")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StreamsTest {
  /// The oldest, the last that speaks SPDY, the first that speaks WebSocket, the newest.
  private static final Set<Integer> VERSIONS = Set.of(20, 30, 31, 33);

  private static StreamTestPods pods;

  @BeforeAll
  static void start(@TempDir Path home) throws IOException {
    pods = new StreamTestPods(home);
  }

  @AfterAll
  static void stop() {
    if (pods != null) {
      pods.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> everyKubectl() throws IOException {
    return Kubectl.installed().stream()
        .filter(binary -> VERSIONS.contains(Kubectl.minorOf(binary)))
        .flatMap(
            binary -> {
              String name = "kubectl 1." + Kubectl.minorOf(binary) + ": ";
              return Stream.of(
                  dynamicTest(name + "P22 exec exit 3", () -> exitCode(binary)),
                  dynamicTest(name + "P23 stdin ends", () -> input(binary)),
                  dynamicTest(name + "exec in a terminal", () -> terminal(binary)),
                  dynamicTest(name + "P25 port-forward", () -> new ForwardRows(pods).many(binary)));
            });
  }

  @TestFactory
  Stream<DynamicTest> forwards() {
    return new ForwardRows(pods).rows();
  }

  @TestFactory
  Stream<DynamicTest> streams() {
    return new ProxyAccessCases(pods).rows();
  }

  @TestFactory
  Stream<DynamicTest> insight() {
    return new InsightRows(pods).rows();
  }

  @TestFactory
  Stream<DynamicTest> whatIf() {
    return new WhatIfRows(pods).rows();
  }

  private static void exitCode(Path binary) {
    CommandRunner.Result result =
        pods.kubectl(
            binary, "", "exec", "tools", "--", "sh", "-c", "echo out; echo err >&2; exit 3");
    assertThat(result.exit()).as(result.error()).isEqualTo(3);
    assertThat(result.output()).isEqualTo("out\n");
    assertThat(result.error()).contains("err", "command terminated with exit code 3");
  }

  private static void input(Path binary) {
    String text = "a line of input\n".repeat(20_000);
    CommandRunner.Result result = pods.kubectl(binary, text, "exec", "-i", "tools", "--", "cat");
    assertThat(result.exit()).as(result.error()).isZero();
    assertThat(result.output()).isEqualTo(text);
  }

  /// `script` gives kubectl a terminal of its own, whose size must arrive in the container.
  private static void terminal(Path binary) {
    String remote =
        "until [ \\\"$(stty size)\\\" = '33 99' ]; do sleep 0.1; done; tty; echo sized; exit 4";
    String local =
        "stty rows 33 cols 99; "
            + String.join(" ", pods.line(binary, "exec", "-it", "tools", "--", "sh", "-c"))
            + " \""
            + remote.replace("$", "\\$")
            + "\"";
    CommandRunner.Result result =
        pods.instance().run("", List.of("script", "-qec", local, "/dev/null"));
    assertThat(result.output()).contains("/dev/pts/", "sized");
    assertThat(result.exit()).as(result.output()).isEqualTo(4);
  }

  @Test
  void p24HundredMegabytesComeWithoutLoss() {
    CommandRunner.Result result =
        pods.instance()
            .run(
                "",
                List.of(
                    "bash",
                    "-c",
                    String.join(" ", pods.line(pods.newest(), "exec", "tools", "--"))
                        + " head -c 100000000 /dev/zero | wc -c"));
    assertThat(result.output().strip()).isEqualTo("100000000");
  }

  @Test
  void p24ControlCReachesTheProgram() throws Exception {
    String command =
        String.join(" ", pods.line(pods.newest(), "exec", "-it", "tools", "--", "sh", "-c"))
            + " \"trap 'exit 9' INT; echo rea''dy; while :; do sleep 0.1; done\"";
    Process process = pods.instance().begin(List.of("script", "-qec", command, "/dev/null"));
    BufferedReader output = process.inputReader(UTF_8);
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.contains("ready")) {
        break;
      }
    }
    process.getOutputStream().write(3);
    process.getOutputStream().flush();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(9);
  }

  @Test
  void aProgramEndsWithItsUser() throws Exception {
    Process process =
        pods.instance()
            .begin(
                pods.line(
                    pods.newest(), "exec", "tools", "--", "sh", "-c", "echo $$; sleep 1000.1"));
    assertThat(process.inputReader(UTF_8).readLine()).isNotNull();
    process.destroyForcibly();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                !pods.kubectl("exec", "tools", "--", "ps", "-eo", "args")
                    .output()
                    .contains("1000.1"));
  }

  @Test
  void logsAreCutAndStampedAndFollowed() throws Exception {
    assertThat(pods.kubectl("logs", "tools", "--tail=2").output()).isEqualTo("tick\ntick\n");
    assertThat(pods.kubectl("logs", "tools", "--tail=1", "--timestamps").output())
        .matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z tick\n");
    assertThat(pods.kubectl("logs", "tools", "--limit-bytes=3").output()).isEqualTo("tic");
    assertThat(pods.kubectl("logs", "tools", "--since=1h").output()).startsWith("tick\n");
    assertThat(pods.kubectl("logs", "tools", "--since-time=2100-01-01T00:00:00Z").output())
        .isEmpty();
    Process process =
        pods.instance().begin(pods.line(pods.newest(), "logs", "-f", "--tail=1", "tools"));
    try (BufferedReader output = process.inputReader(UTF_8)) {
      for (int i = 0; i < 5; i++) {
        assertThat(output.readLine()).isEqualTo("tick");
      }
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void p27FollowedLogsEndWithTheContainerAndThePreviousOnesStay() {
    await()
        .atMost(PATIENCE)
        .until(() -> pods.kubectl("logs", "three-lines").output().startsWith("line 1"));
    assertThat(pods.kubectl("logs", "-f", "three-lines").output())
        .isEqualTo("line 1\nline 2\nline 3\nend\n");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(pods.kubectl("logs", "--previous", "crashes").output())
                    .isEqualTo("last words\n"));
  }

  @Test
  void attachListens() throws Exception {
    Process process = pods.instance().begin(pods.line(pods.newest(), "attach", "tools"));
    try (BufferedReader output = process.inputReader(UTF_8)) {
      String line = output.readLine();
      while (line != null && !line.equals("tick")) {
        line = output.readLine();
      }
      assertThat(line).isEqualTo("tick");
    } finally {
      process.destroyForcibly();
    }
  }

  /// A pod of one's own, gone when one leaves.
  @Test
  void aPodIsTalkedToAndGoesWithItsUser() {
    CommandRunner.Result piped =
        pods.kubectl(
            pods.newest(),
            "hello\n",
            "run",
            "talk",
            "-i",
            "--rm",
            "--restart=Never",
            "--pod-running-timeout=2m",
            "--image=fairlead.dev/shell",
            "--",
            "sh",
            "-c",
            "read a; echo got $a");
    assertThat(piped.output()).as(piped.error()).contains("got hello", "pod \"talk\" deleted");
    String local =
        String.join(
                " ",
                pods.line(
                    pods.newest(),
                    "run",
                    "type",
                    "-it",
                    "--rm",
                    "--restart=Never",
                    "--pod-running-timeout=2m",
                    "--image=fairlead.dev/shell",
                    "--",
                    "sh",
                    "-c"))
            + " 'read a; echo got $a on $(tty)'";
    CommandRunner.Result typed =
        pods.instance().run("hello\n", List.of("script", "-qec", local, "/dev/null"));
    assertThat(typed.output()).contains("got hello on /dev/pts/");
    assertThat(pods.kubectl("get", "pod", "talk", "type", "--ignore-not-found").output()).isEmpty();
  }

  @Test
  void filesAreCopiedBothWays() throws IOException {
    Path file = Files.writeString(pods.home().resolve("file"), "content\n".repeat(1000));
    CommandRunner.Result there = pods.kubectl("cp", file.toString(), "tools:/tmp/there");
    assertThat(there.exit()).as(there.error()).isZero();
    CommandRunner.Result back =
        pods.kubectl("cp", "tools:/tmp/there", pods.home().resolve("back").toString());
    assertThat(back.exit()).as(back.error()).isZero();
    assertThat(pods.home().resolve("back")).hasSameTextualContentAs(file);
  }

  /// The node's server comes back at another port, with another certificate.
  @Test
  @Order(Integer.MAX_VALUE)
  void aNodeIsReachedAfterARestart() throws Exception {
    pods.instance().restart();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(pods.kubectl("exec", "tools", "--", "echo", "again").output())
                    .isEqualTo("again\n"));
  }
}
