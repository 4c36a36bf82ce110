package io.fairlead.agent.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.MessageLite;
import io.fairlead.agent.cri.CriProto.ContainerStats;
import io.fairlead.agent.cri.CriProto.ContainerStatus;
import io.fairlead.agent.cri.CriProto.CreateContainerRequest;
import io.fairlead.agent.cri.CriProto.ImageStatusResponse;
import io.fairlead.agent.cri.CriProto.Int64Value;
import io.fairlead.agent.cri.CriProto.LinuxContainerResources;
import io.fairlead.agent.cri.CriProto.LinuxContainerSecurityContext;
import io.fairlead.agent.cri.CriProto.LinuxPodSandboxStatus;
import io.fairlead.agent.cri.CriProto.ListContainerStatsResponse;
import io.fairlead.agent.cri.CriProto.Mount;
import io.fairlead.agent.cri.CriProto.Namespace;
import io.fairlead.agent.cri.CriProto.NamespaceMode;
import io.fairlead.agent.cri.CriProto.NamespaceOption;
import io.fairlead.agent.cri.CriProto.NoContent;
import io.fairlead.agent.cri.CriProto.PodSandboxConfig;
import io.fairlead.agent.cri.CriProto.PodSandboxStatus;
import io.fairlead.agent.cri.CriProto.Protocol;
import io.fairlead.agent.cri.CriProto.SecurityProfile;
import io.fairlead.agent.cri.CriProto.StatusResponse;
import io.fairlead.agent.cri.CriProto.StopContainerRequest;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerState;
import io.fairlead.agent.runtime.PodTraits;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.client.ObjectKey;
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
class CriMessagesTest {
  private record Wire(String name, MessageLite message, String bytes) {}

  /// Numbers and types of fields as CRI v1 has them, in the bytes of protobuf.
  static Stream<Wire> wires() {
    return Stream.of(
        new Wire("nothing", StopContainerRequest.newBuilder().setContainerId("").build(), ""),
        new Wire("a text", CriRequests.image("ab"), "0a026162"),
        new Wire(
            "a number of two bytes",
            StopContainerRequest.newBuilder().setTimeout(300).build(),
            "10ac02"),
        new Wire("yes", Mount.newBuilder().setReadonly(true).build(), "1801"),
        new Wire(
            "an empty message is there",
            LinuxContainerSecurityContext.newBuilder()
                .setSeccomp(SecurityProfile.getDefaultInstance())
                .build(),
            "7a00"),
        new Wire(
            "a map is a list of pairs",
            PodSandboxConfig.newBuilder().putLabels("k", "v").build(),
            "32060a016b120176"),
        new Wire(
            "a negative number has ten bytes",
            LinuxContainerResources.newBuilder().setOomScoreAdj(-997).build(),
            "289bf8ffffffffffffff01"),
        new Wire(
            "user 0 is there",
            LinuxContainerSecurityContext.newBuilder()
                .setRunAsUser(Int64Value.getDefaultInstance())
                .build(),
            "2a00"));
  }

  @ParameterizedTest
  @MethodSource("wires")
  void bytesAreProtobuf(Wire wire) throws IOException {
    byte[] bytes = wire.message().toByteArray();
    assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(wire.bytes());
    assertThat(wire.message().getParserForType().parseFrom(bytes)).isEqualTo(wire.message());
  }

  @Test
  void brokenBytesAreAnError() {
    assertThatThrownBy(() -> NoContent.parseFrom(HexFormat.of().parseHex("0a05ab")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void fieldsAndStatesOfALaterVersionDoNoHarm() throws IOException {
    // Field 200 is unknown; states 9 and modes 9 have no name.
    byte[] later = HexFormat.of().parseHex("0a0163" + "1809" + "c20c0178");
    ContainerInfo info = CriResponses.container(ContainerStatus.parseFrom(later), "s1");
    assertThat(info.id()).isEqualTo("c");
    assertThat(info.state()).isEqualTo(ContainerState.EXITED);
    assertThat(info.reason()).isEqualTo("ContainerStatusUnknown");
    PodSandboxStatus status =
        PodSandboxStatus.newBuilder()
            .setId("s")
            .setStateValue(9)
            .setLinux(
                LinuxPodSandboxStatus.newBuilder()
                    .setNamespaces(
                        Namespace.newBuilder()
                            .setOptions(NamespaceOption.newBuilder().setPidValue(9))))
            .build();
    Sandbox sandbox = CriResponses.sandbox(status);
    assertThat(sandbox.info().ready()).isFalse();
    assertThat(sandbox.processes()).as("handed back as it came").isEqualTo(9);
  }

  @Test
  void missingFieldsReadAsEmpty() {
    assertThat(CriResponses.sandbox(PodSandboxStatus.getDefaultInstance()).info().pod())
        .isEqualTo(new ObjectKey("", ""));
    assertThat(CriResponses.container(ContainerStatus.getDefaultInstance(), "s").podUid())
        .isEmpty();
    assertThat(CriResponses.image(ImageStatusResponse.getDefaultInstance())).isEmpty();
    assertThat(CriResponses.problem(StatusResponse.getDefaultInstance())).isEmpty();
    assertThat(
            CriResponses.usage(
                ListContainerStatsResponse.newBuilder()
                    .addStats(ContainerStats.getDefaultInstance())
                    .build()))
        .isEmpty();
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
            io.fairlead.agent.runtime.LinuxContainerResources.NONE,
            false,
            false,
            true,
            false,
            Map.of()));
  }

  @Test
  void aSandboxIsAskedForWithNamesAndLabels() {
    PodSandboxConfig asked =
        CriRequests.sandbox(sandbox(false), "node-a", "/kubepods/burstable/poduid-1").getConfig();
    assertThat(asked.getMetadata().getName()).isEqualTo("web-0");
    assertThat(asked.getMetadata().getAttempt()).isEqualTo(2);
    assertThat(asked.getHostname()).isEqualTo("web-0");
    assertThat(asked.getDnsConfig().getServersList()).containsExactly("10.96.0.10");
    assertThat(asked.getDnsConfig().getSearchesList()).containsExactly("a", "b");
    assertThat(asked.getDnsConfig().getOptionsList()).containsExactly("ndots:5");
    assertThat(asked.getPortMappings(0).getProtocol()).isEqualTo(Protocol.UDP);
    assertThat(asked.getLabelsMap()).containsEntry("fairlead.dev/node", "node-a");
    assertThat(asked.getLinux().getCgroupParent()).isEqualTo("/kubepods/burstable/poduid-1");
  }

  @Test
  void n52TheMachinesNetworkHasNoHostNameOfItsOwn() {
    PodSandboxConfig asked = CriRequests.sandbox(sandbox(true), "node-a", "/c").getConfig();
    assertThat(asked.getHostname()).isEmpty();
    assertThat(asked.getLinux().getSecurityContext().getNamespaceOptions().getNetwork())
        .isEqualTo(NamespaceMode.NODE);
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
            NamespaceMode.POD_VALUE,
            NamespaceMode.CONTAINER_VALUE,
            NamespaceMode.POD_VALUE,
            Path.of("/logs/p"),
            "/kubepods/poduid-1",
            "web-0");
    CreateContainerRequest asked =
        CriRequests.container(
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
                new io.fairlead.agent.runtime.LinuxContainerResources(250, 500, 0, 16 << 20, 1000),
                new io.fairlead.agent.runtime.LinuxContainerSecurityContext(
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
    assertThat(asked.getPodSandboxId()).isEqualTo("s1");
    CriProto.ContainerConfig config = asked.getConfig();
    assertThat(config.getStdin()).isTrue();
    assertThat(config.getStdinOnce()).isFalse();
    assertThat(config.getTty()).isTrue();
    assertThat(config.getMetadata().getAttempt()).isEqualTo(3);
    assertThat(config.getImage().getImage()).isEqualTo("nginx:1");
    assertThat(config.getArgsList()).containsExactly("b", "c");
    assertThat(config.getLogPath()).isEqualTo("c/3.log");
    assertThat(config.getMountsList())
        .extracting(
            mount ->
                mount.getContainerPath() + " " + mount.getHostPath() + " " + mount.getReadonly())
        .containsExactly("/data /v true", "/etc/hosts /pods/hosts false");
    LinuxContainerResources resources = config.getLinux().getResources();
    assertThat(resources.getCpuPeriod()).isEqualTo(100_000);
    assertThat(resources.getCpuQuota()).isEqualTo(50_000);
    assertThat(resources.getCpuShares()).isEqualTo(256);
    assertThat(resources.getMemoryLimitInBytes()).isEqualTo(16 << 20);
    LinuxContainerSecurityContext security = config.getLinux().getSecurityContext();
    assertThat(security.hasRunAsUser()).as("user 0 is said").isTrue();
    assertThat(security.hasRunAsGroup()).as("no group is not said").isFalse();
    assertThat(security.getMaskedPathsList()).contains("/proc/kcore");
    assertThat(security.hasSeccomp()).as("filtered").isTrue();
    assertThat(asked.getSandboxConfig().getLogDirectory()).isEqualTo("/logs/p");
  }

  private record End(
      String name, int state, int code, String told, ContainerState now, int exit, String reason) {}

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
    ContainerStatus status =
        ContainerStatus.newBuilder()
            .setId("c1")
            .setStateValue(end.state())
            .setStartedAt(1_000_000_001L)
            .setExitCode(end.code())
            .setReason(end.told())
            .putLabels("io.kubernetes.pod.uid", "uid-1")
            .build();
    var info = CriResponses.container(status, "s1");
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
