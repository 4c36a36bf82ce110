package io.fairlead.agent.builtin;

import static io.fairlead.agent.builtin.BuiltinRuntimeFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.agent.runtime.ContainerConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Those who talk to the first program of a container.
@Tag("system")
class ShellAttachTest {
  @TempDir Path directory;
  private BuiltinRuntimeFixture lab;

  @BeforeEach
  void makeNode() {
    lab = new BuiltinRuntimeFixture(directory);
  }

  @AfterEach
  void removeNode() {
    lab.close();
  }

  @Test
  void visitorsTalkToTheFirstProgram() throws Exception {
    String id =
        lab.start(
            new ContainerConfig.Terminal(true, false, false),
            lab.sandbox("tools"),
            "tools",
            "fairlead.dev/shell",
            "sh",
            "-c",
            "read a; echo got $a; read b; echo and $b >&2; exit 3");
    try (AttachedProcess first = lab.runtime().attach(id, true, false).orElseThrow()) {
      first.input().write("one\n".getBytes(StandardCharsets.UTF_8));
      assertThat(first.output().readNBytes(8))
          .asString(StandardCharsets.UTF_8)
          .isEqualTo("got one\n");
      first.input().close();
    }
    assertThat(lab.info(id).running()).as("its input outlives the first visitor").isTrue();
    try (AttachedProcess second = lab.runtime().attach(id, true, false).orElseThrow()) {
      second.input().write("two\n".getBytes(StandardCharsets.UTF_8));
      assertThat(second.error().readAllBytes())
          .asString(StandardCharsets.UTF_8)
          .isEqualTo("and two\n");
      assertThat(second.await()).isZero();
    }
    await().atMost(PATIENCE).until(() -> lab.info(id).exited());
    assertThat(lab.info(id).exitCode()).isEqualTo(3);
    assertThat(Files.readString(lab.log("tools"))).contains("stdout F got one", "stderr F and two");
  }

  @Test
  void theInputForOneVisitorEndsWithTheVisitor() throws Exception {
    String id =
        lab.start(
            new ContainerConfig.Terminal(true, true, false),
            lab.sandbox("tools"),
            "tools",
            "fairlead.dev/shell",
            "cat");
    try (AttachedProcess only = lab.runtime().attach(id, true, false).orElseThrow()) {
      only.input().write("all".getBytes(StandardCharsets.UTF_8));
      only.input().close();
      assertThat(only.output().readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("all");
    }
    await().atMost(PATIENCE).until(() -> lab.info(id).exited());
    assertThat(lab.info(id).exitCode()).isZero();
  }

  @Test
  void theOnlyVisitorHearsWhatWasSaidBeforeAndNoLaterOneDoes() throws Exception {
    String id =
        lab.start(
            new ContainerConfig.Terminal(true, true, false),
            lab.sandbox("tools"),
            "tools",
            "fairlead.dev/shell",
            "sh",
            "-c",
            "echo early; echo complaint >&2; read a; echo late; sleep 1000");
    await()
        .atMost(PATIENCE)
        .until(() -> Files.readString(lab.log("tools")).contains("stderr F complaint"));
    await()
        .atMost(PATIENCE)
        .until(() -> Files.readString(lab.log("tools")).contains("stdout F early"));
    try (AttachedProcess first = lab.runtime().attach(id, true, false).orElseThrow();
        AttachedProcess second = lab.runtime().attach(id, false, false).orElseThrow()) {
      first.input().write("go\n".getBytes(StandardCharsets.UTF_8));
      assertThat(first.output().readNBytes(11))
          .asString(StandardCharsets.UTF_8)
          .isEqualTo("early\nlate\n");
      assertThat(first.error().readNBytes(10))
          .asString(StandardCharsets.UTF_8)
          .isEqualTo("complaint\n");
      assertThat(second.output().readNBytes(5))
          .asString(StandardCharsets.UTF_8)
          .isEqualTo("late\n");
    }
  }

  @Test
  void aFirstProgramMayHaveATerminal() throws Exception {
    String id =
        lab.start(
            new ContainerConfig.Terminal(true, true, true),
            lab.sandbox("tools"),
            "tools",
            "fairlead.dev/shell",
            "sh",
            "-c",
            "read a; until stty size | grep -q '33 99'; do sleep 0.1; done;"
                + " echo got $a on $(tty) as $$; exit 4");
    try (AttachedProcess visitor = lab.runtime().attach(id, true, true).orElseThrow()) {
      visitor.resize(99, 33);
      visitor.input().write("one\n".getBytes(StandardCharsets.UTF_8));
      assertThat(visitor.output().readAllBytes())
          .asString(StandardCharsets.UTF_8)
          .containsPattern("got one on /dev/pts/[0-9]+ as 1\r\n");
    }
    await().atMost(PATIENCE).until(() -> lab.info(id).exited());
    assertThat(lab.info(id).exitCode()).isEqualTo(4);
    assertThat(Files.readString(lab.log("tools"))).contains("stdout F got one on /dev/pts/");
  }
}
