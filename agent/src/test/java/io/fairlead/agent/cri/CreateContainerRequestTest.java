package io.fairlead.agent.cri;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.cri.CriProto.CreateContainerRequest;
import io.fairlead.agent.cri.CriProto.NamespaceMode;
import io.fairlead.agent.cri.CriProto.NamespaceOption;
import io.fairlead.agent.cri.CriProto.PodSandboxConfig;
import io.fairlead.agent.cri.CriProto.PodSandboxStatus;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.runtime.LinuxContainerSecurityContext;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.client.ObjectKey;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// What the request for a container repeats of its sandbox: engines do not remember it.
class CreateContainerRequestTest {
  private static final SandboxConfig WEB =
      new SandboxConfig(
          new ObjectKey("shop", "web-0"),
          "uid-1",
          0,
          false,
          "web-0",
          "",
          List.of(),
          30,
          Path.of("/pods/uid-1"));

  /// The sandbox as an engine reports it later.
  private static Sandbox reported() {
    PodSandboxConfig asked = CriRequests.sandbox(WEB, "node-a", "/c").getConfig();
    return CriResponses.sandbox(
        PodSandboxStatus.newBuilder()
            .setId("s1")
            .setMetadata(asked.getMetadata())
            .putAllAnnotations(asked.getAnnotationsMap())
            .build());
  }

  private static ContainerConfig container(boolean privileged) {
    return new ContainerConfig(
        "c",
        0,
        "nginx:1",
        "hash",
        List.of(),
        List.of(),
        List.of(),
        "",
        List.of(),
        Path.of("/pods/hosts"),
        Path.of("c/0.log"),
        LinuxContainerResources.NONE,
        new LinuxContainerSecurityContext(
            OptionalLong.empty(),
            OptionalLong.empty(),
            List.of(),
            privileged,
            false,
            false,
            List.of(),
            List.of(),
            false),
        ContainerConfig.Terminal.NONE);
  }

  private static CreateContainerRequest request(ContainerConfig config) {
    return CriRequests.container(reported(), config, "node-a");
  }

  @Test
  void aPrivilegedContainerIsAskedForInAPrivilegedSandbox() {
    assertThat(privilegedSandbox(true)).isTrue();
    assertThat(privilegedSandbox(false)).isFalse();
  }

  private static boolean privilegedSandbox(boolean container) {
    return request(container(container))
        .getSandboxConfig()
        .getLinux()
        .getSecurityContext()
        .getPrivileged();
  }

  @Test
  void theSandboxKeepsItsHostNameWhichEnginesMakeAVariableOf() {
    assertThat(request(container(false)).getSandboxConfig().getHostname()).isEqualTo("web-0");
  }

  @Test
  void aContainerWithATargetSeesItsProcesses() {
    NamespaceOption usual = namespaces(container(false));
    assertThat(usual.getPid()).isEqualTo(NamespaceMode.POD);
    NamespaceOption targeted = namespaces(container(false).targeting("c9"));
    assertThat(targeted.getPid()).isEqualTo(NamespaceMode.TARGET);
    assertThat(targeted.getTargetId()).isEqualTo("c9");
  }

  private static NamespaceOption namespaces(ContainerConfig config) {
    return request(config).getConfig().getLinux().getSecurityContext().getNamespaceOptions();
  }
}
