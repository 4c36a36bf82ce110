package io.fairlead.agent.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerState;
import io.fairlead.agent.runtime.PodTraits;
import io.fairlead.agent.runtime.Resources;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.runtime.Security;
import io.fairlead.client.ObjectKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Messages as they go over the socket, and what is made of them.
class MessageTest {
  private record Wire(String name, Message message, String bytes) {}

  static Stream<Wire> wires() {
    return Stream.of(
        new Wire("nothing", Message.write().text(1, "").number(2, 0).build(), ""),
        new Wire("a text", Message.write().text(1, "ab").build(), "0a026162"),
        new Wire("a number of two bytes", Message.write().number(2, 300).build(), "10ac02"),
        new Wire("yes", Message.write().flag(3, true).build(), "1801"),
        new Wire(
            "an empty message is there",
            Message.write().message(15, Message.EMPTY).build(),
            "7a00"),
        new Wire(
            "a map is a list of pairs",
            Message.write().map(6, Map.of("k", "v")).build(),
            "32060a016b120176"),
        new Wire(
            "a negative number has ten bytes",
            Message.write().number(5, -997).build(),
            "289bf8ffffffffffffff01"));
  }

  @ParameterizedTest
  @MethodSource("wires")
  void bytesAreProtobuf(Wire wire) throws IOException {
    byte[] bytes = wire.message().stream().readAllBytes();
    assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(wire.bytes());
    Message back = Message.parse(new ByteArrayInputStream(bytes));
    assertThat(back.stream().readAllBytes()).isEqualTo(bytes);
  }

  @Test
  void brokenBytesAreAnError() {
    assertThatThrownBy(
            () -> Message.parse(new ByteArrayInputStream(HexFormat.of().parseHex("0a05ab"))))
        .isInstanceOf(IOException.class);
  }

  private static SandboxConfig sandbox(boolean hostNetwork) {
    return new SandboxConfig(
        new ObjectKey("shop", "web-0"),
        "uid-1",
        2,
        hostNetwork,
        "web-0",
        "search a b\nnameserver 10.96.0.10\noptions ndots:5\n",
        List.of(new SandboxConfig.HostPort("", 8080, 80, "UDP")),
        12,
        Path.of("/pods/uid-1"),
        new PodTraits(
            Path.of("/logs/shop_web-0_uid-1"),
            List.of("nginx"),
            "",
            "Burstable",
            Resources.NONE,
            false,
            false,
            true,
            false,
            Map.of()));
  }

  @Test
  void aSandboxIsAskedForWithNamesAndLabels() {
    Message asked = Requests.sandbox(sandbox(false), "node-a", "/kubepods/burstable/poduid-1");
    assertThat(asked.message(1).text(1)).isEqualTo("web-0");
    assertThat(asked.message(1).number(4)).isEqualTo(2);
    assertThat(asked.text(2)).isEqualTo("web-0");
    assertThat(asked.message(4).texts(1)).containsExactly("10.96.0.10");
    assertThat(asked.message(4).texts(2)).containsExactly("a", "b");
    assertThat(asked.message(4).texts(3)).containsExactly("ndots:5");
    assertThat(asked.message(5).number(1)).isEqualTo(1);
    assertThat(asked.map(6)).containsEntry("fairlead.dev/node", "node-a");
    assertThat(asked.message(8).text(1)).isEqualTo("/kubepods/burstable/poduid-1");
  }

  @Test
  void n52TheMachinesNetworkHasNoHostNameOfItsOwn() {
    Message asked = Requests.sandbox(sandbox(true), "node-a", "/c");
    assertThat(asked.text(2)).isEmpty();
    assertThat(asked.message(8).message(2).message(1).number(1)).isEqualTo(Sandbox.NODE);
  }

  @Test
  void aContainerIsAskedForWithItsLimitsAndUser() {
    Sandbox sandbox =
        new Sandbox(
            new SandboxInfo(
                "s1",
                "uid-1",
                new ObjectKey("shop", "web-0"),
                0,
                true,
                false,
                List.of("10.244.1.2"),
                Instant.EPOCH,
                30),
            Sandbox.POD,
            Sandbox.CONTAINER,
            Sandbox.POD,
            Path.of("/logs/p"),
            "/kubepods/poduid-1");
    Message asked =
        Requests.container(
            sandbox,
            new ContainerConfig(
                "c",
                3,
                "nginx:1",
                "hash",
                List.of("a"),
                List.of("b", "c"),
                List.of(Map.entry("K", "V")),
                "/work",
                List.of(new ContainerConfig.Mount(Path.of("/v"), "/data", true)),
                Path.of("/pods/hosts"),
                Path.of("/logs/p/c/3.log"),
                new Resources(250, 500, 0, 16 << 20, 1000),
                new Security(
                    OptionalLong.of(0),
                    OptionalLong.empty(),
                    List.of(5L),
                    false,
                    true,
                    true,
                    List.of("NET_ADMIN"),
                    List.of("ALL"),
                    true),
                new ContainerConfig.Terminal(true, false, true)),
            "node-a");
    assertThat(asked.text(1)).isEqualTo("s1");
    Message config = asked.message(2);
    assertThat(config.flag(12)).as("stdin").isTrue();
    assertThat(config.flag(13)).as("stdin_once").isFalse();
    assertThat(config.flag(14)).as("tty").isTrue();
    assertThat(config.message(1).number(2)).isEqualTo(3);
    assertThat(config.message(2).text(1)).isEqualTo("nginx:1");
    assertThat(config.texts(4)).containsExactly("b", "c");
    assertThat(config.text(11)).isEqualTo("c/3.log");
    assertThat(config.messages(7))
        .extracting(mount -> mount.text(1) + " " + mount.text(2) + " " + mount.flag(3))
        .containsExactly("/data /v true", "/etc/hosts /pods/hosts false");
    Message resources = config.message(15).message(1);
    assertThat(resources.number(1)).isEqualTo(100_000);
    assertThat(resources.number(2)).isEqualTo(50_000);
    assertThat(resources.number(3)).isEqualTo(256);
    assertThat(resources.number(4)).isEqualTo(16 << 20);
    Message security = config.message(15).message(2);
    assertThat(security.has(5)).as("user 0 is said").isTrue();
    assertThat(security.has(12)).as("no group is not said").isFalse();
    assertThat(security.texts(13)).contains("/proc/kcore");
    assertThat(security.has(15)).as("filtered").isTrue();
    assertThat(asked.message(3).text(3)).isEqualTo("/logs/p");
  }

  private record End(
      String name,
      long state,
      long code,
      String told,
      ContainerState now,
      int exit,
      String reason) {}

  static Stream<End> ends() {
    return Stream.of(
        new End("created", 0, 0, "", ContainerState.CREATED, 0, ""),
        new End("running", 1, 0, "", ContainerState.RUNNING, 0, ""),
        new End("done", 2, 0, "Completed", ContainerState.EXITED, 0, "Completed"),
        new End("no reason told", 2, 3, "", ContainerState.EXITED, 3, "Error"),
        new End("out of memory", 2, 137, "OOMKilled", ContainerState.EXITED, 137, "OOMKilled"),
        new End("lost", 3, 0, "", ContainerState.EXITED, 137, "ContainerStatusUnknown"));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void aContainersEndIsRead(End end) {
    Message status =
        Message.write()
            .text(1, "c1")
            .number(3, end.state())
            .number(5, 1_000_000_001L)
            .number(7, end.code())
            .text(10, end.told())
            .map(12, Map.of("io.kubernetes.pod.uid", "uid-1"))
            .build();
    var info = Answers.container(status, "s1");
    assertThat(info.state()).isEqualTo(end.now());
    assertThat(info.exitCode()).isEqualTo(end.exit());
    assertThat(info.reason()).isEqualTo(end.reason());
    assertThat(info.podUid()).isEqualTo("uid-1");
    assertThat(info.startedAt()).isEqualTo(Instant.ofEpochSecond(1, 1));
  }

  private record Name(String name, boolean good) {}

  static Stream<Name> names() {
    return Stream.of(
        new Name("nginx", true),
        new Name("nginx:1.27", true),
        new Name("k8s.gcr.io/serve_hostname", true),
        new Name("localhost:5000/a/b-c__d:v1", true),
        new Name("x@sha256:" + "0123456789abcdef".repeat(4), true),
        new Name("", false),
        new Name("Nginx", false),
        new Name("nginx:", false),
        new Name("a//b", false),
        new Name("nginx:one two", false),
        new Name("a".repeat(2000), false));
  }

  @ParameterizedTest
  @MethodSource("names")
  void n58NamesOfImagesAreChecked(Name name) {
    if (name.good()) {
      ImageNames.check(name.name());
    } else {
      assertThatThrownBy(() -> ImageNames.check(name.name()))
          .isInstanceOfSatisfying(
              RuntimeFailure.class, e -> assertThat(e.reason()).isEqualTo("InvalidImageName"));
    }
  }
}
