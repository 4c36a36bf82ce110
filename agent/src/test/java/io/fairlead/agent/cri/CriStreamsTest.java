package io.fairlead.agent.cri;

import static io.fairlead.agent.cri.CriFixture.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Talking to programs in containers: beside the first one, to the first one, and by the network.
class CriStreamsTest extends WithContainerd {
  @Test
  void n61AndN18ExecGivesExitCodesAndTimesOut() {
    SandboxInfo sandbox = lab.sandbox("tools");
    String id = lab.run(sandbox, "tools", "sleep", "1000");
    assertThat(lab.runtime().exec(id, List.of("hostname"), PATIENCE).output()).isEqualTo("tools\n");
    assertThat(lab.runtime().exec(id, List.of("sh", "-c", "exit 7"), PATIENCE).exitCode())
        .isEqualTo(7);
    assertThat(lab.runtime().exec(id, List.of("sleep", "100"), Duration.ofSeconds(1)).timedOut())
        .isTrue();
  }

  @Test
  void n61ProgramsAreTalkedTo() throws Exception {
    String id = lab.run(lab.sandbox("tools"), "tools", "sleep", "1000");
    try (AttachedProcess program =
        lab.runtime().open(id, List.of("sh", "-c", "cat; echo oh >&2; exit 7"), true, false)) {
      try (OutputStream input = program.input()) {
        input.write("hello".getBytes(UTF_8));
      }
      assertThat(new String(program.output().readAllBytes(), UTF_8)).isEqualTo("hello");
      assertThat(new String(program.error().readAllBytes(), UTF_8)).isEqualTo("oh\n");
      assertThat(program.await()).isEqualTo(7);
    }
    String sized = "until stty size 2>/dev/null | grep -q '33 99'; do sleep 0.1; done; tty";
    try (AttachedProcess program =
        lab.runtime().open(id, List.of("sh", "-c", sized), false, true)) {
      program.resize(99, 33);
      assertThat(new String(program.output().readAllBytes(), UTF_8)).startsWith("/dev/pts/");
      assertThat(program.await()).isZero();
    }
  }

  @Test
  void visitorsTalkToTheFirstProgram() throws Exception {
    SandboxInfo sandbox = lab.sandbox("tools");
    String id =
        lab.run(
            sandbox,
            lab.talkative(
                sandbox,
                new ContainerConfig.Terminal(true, true, false),
                "read a; echo got $a; exit 3"));
    try (AttachedProcess visitor = lab.runtime().attach(id, true, false).orElseThrow()) {
      visitor.input().write("one\n".getBytes(UTF_8));
      assertThat(visitor.output().readAllBytes()).asString(UTF_8).isEqualTo("got one\n");
    }
    await().atMost(PATIENCE).until(() -> lab.info(id).exited());
    assertThat(lab.info(id).exitCode()).isEqualTo(3);
  }

  @Test
  void aFirstProgramMayHaveATerminal() throws Exception {
    SandboxInfo sandbox = lab.sandbox("tools");
    String id =
        lab.run(
            sandbox,
            lab.talkative(
                sandbox,
                new ContainerConfig.Terminal(true, true, true),
                "read a; until stty size | grep -q '33 99'; do sleep 0.1; done;"
                    + " echo got $a on $(tty); exit 4"));
    try (AttachedProcess visitor = lab.runtime().attach(id, true, true).orElseThrow()) {
      visitor.resize(99, 33);
      visitor.input().write("one\n".getBytes(UTF_8));
      assertThat(visitor.output().readAllBytes())
          .asString(UTF_8)
          .containsPattern("got one on /dev/pts/[0-9]+\r\n");
    }
    await().atMost(PATIENCE).until(() -> lab.info(id).exited());
    assertThat(lab.info(id).exitCode()).isEqualTo(4);
  }

  @Test
  void n62APortThatListensOnLoopbackIsReached() {
    SandboxInfo sandbox = lab.sandbox("tools");
    lab.run(sandbox, "tools", "httpd", "-f", "-p", "127.0.0.1:8080", "-h", "/settings");
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(ConnectException.class)
        .untilAsserted(
            () -> {
              try (Socket socket = lab.runtime().dial(sandbox.id(), 8080)) {
                socket.getOutputStream().write("GET /colour HTTP/1.0\r\n\r\n".getBytes(UTF_8));
                assertThat(socket.getInputStream().readAllBytes())
                    .asString(UTF_8)
                    .endsWith("blue\n");
              }
            });
  }
}
