package io.fairlead.agent.cri;

import io.fairlead.agent.cri.CriProto.Capability;
import io.fairlead.agent.cri.CriProto.ContainerFilter;
import io.fairlead.agent.cri.CriProto.ContainerMetadata;
import io.fairlead.agent.cri.CriProto.ContainerStatusRequest;
import io.fairlead.agent.cri.CriProto.CreateContainerRequest;
import io.fairlead.agent.cri.CriProto.DNSConfig;
import io.fairlead.agent.cri.CriProto.ImageSpec;
import io.fairlead.agent.cri.CriProto.Int64Value;
import io.fairlead.agent.cri.CriProto.KeyValue;
import io.fairlead.agent.cri.CriProto.LinuxContainerConfig;
import io.fairlead.agent.cri.CriProto.LinuxPodSandboxConfig;
import io.fairlead.agent.cri.CriProto.LinuxSandboxSecurityContext;
import io.fairlead.agent.cri.CriProto.ListContainersRequest;
import io.fairlead.agent.cri.CriProto.ListPodSandboxRequest;
import io.fairlead.agent.cri.CriProto.Mount;
import io.fairlead.agent.cri.CriProto.NamespaceMode;
import io.fairlead.agent.cri.CriProto.NamespaceOption;
import io.fairlead.agent.cri.CriProto.PodSandboxConfig;
import io.fairlead.agent.cri.CriProto.PodSandboxFilter;
import io.fairlead.agent.cri.CriProto.PodSandboxMetadata;
import io.fairlead.agent.cri.CriProto.PodSandboxStatusRequest;
import io.fairlead.agent.cri.CriProto.PortMapping;
import io.fairlead.agent.cri.CriProto.Protocol;
import io.fairlead.agent.cri.CriProto.RunPodSandboxRequest;
import io.fairlead.agent.cri.CriProto.SecurityProfile;
import io.fairlead.agent.cri.CriProto.UpdateContainerResourcesRequest;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.runtime.LinuxContainerSecurityContext;
import io.fairlead.agent.runtime.PodTraits;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.client.ObjectKey;
import java.util.List;
import java.util.Map;

/// What the agent asks of an engine, as messages of CRI v1. Pure.
final class CriRequests {
  static final String NODE_LABEL = "fairlead.dev/node";
  static final String POD_NAME = "io.kubernetes.pod.name";
  static final String POD_NAMESPACE = "io.kubernetes.pod.namespace";
  static final String POD_UID = "io.kubernetes.pod.uid";
  static final String CONTAINER_NAME = "io.kubernetes.container.name";
  static final String GRACE = "io.kubernetes.pod.terminationGracePeriod";
  static final String HASH = "io.kubernetes.container.hash";
  static final String RESTARTS = "io.kubernetes.container.restartCount";
  static final String LOGS = "fairlead.dev/logs";
  static final String CGROUP = "fairlead.dev/cgroup";
  static final String HOSTNAME = "fairlead.dev/hostname";

  /// Parts of `/proc` and `/sys` that describe the machine, hidden from containers.
  private static final List<String> MASKED =
      List.of(
          "/proc/asound",
          "/proc/acpi",
          "/proc/kcore",
          "/proc/keys",
          "/proc/latency_stats",
          "/proc/timer_list",
          "/proc/timer_stats",
          "/proc/sched_debug",
          "/proc/scsi",
          "/sys/firmware",
          "/sys/devices/virtual/powercap");

  private static final List<String> READ_ONLY =
      List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

  private CriRequests() {}

  /// The request for a new sandbox.
  ///
  /// @param node the node that the sandbox belongs to
  static RunPodSandboxRequest sandbox(SandboxConfig config, String node, String cgroup) {
    PodTraits traits = config.traits();
    NamespaceMode network = config.hostNetwork() ? NamespaceMode.NODE : NamespaceMode.POD;
    NamespaceMode processes =
        traits.hostProcesses()
            ? NamespaceMode.NODE
            : traits.sharedProcesses() ? NamespaceMode.POD : NamespaceMode.CONTAINER;
    NamespaceMode ipc = traits.hostIpc() ? NamespaceMode.NODE : NamespaceMode.POD;
    // A name of its own needs a namespace of its own, which the machine's network has not.
    String hostname = config.hostNetwork() ? "" : config.hostname();
    PodSandboxConfig.Builder builder =
        PodSandboxConfig.newBuilder()
            .setMetadata(
                metadata(
                    config.pod().name(),
                    config.podUid(),
                    config.pod().namespace(),
                    config.attempt()))
            .setHostname(hostname)
            .setLogDirectory(traits.logs().toString())
            .setDnsConfig(names(config.resolvConf()))
            .putAllLabels(labels(config.pod(), config.podUid(), node))
            .putAnnotations(GRACE, Long.toString(config.graceSeconds()))
            .putAnnotations(LOGS, traits.logs().toString())
            .putAnnotations(CGROUP, cgroup)
            .putAnnotations(HOSTNAME, hostname)
            .setLinux(
                LinuxPodSandboxConfig.newBuilder()
                    .setCgroupParent(cgroup)
                    .setSecurityContext(
                        LinuxSandboxSecurityContext.newBuilder()
                            .setNamespaceOptions(
                                namespaces(
                                    network.getNumber(), processes.getNumber(), ipc.getNumber()))
                            .setPrivileged(traits.privileged()))
                    .putAllSysctls(traits.sysctls()));
    for (SandboxConfig.HostPort port : config.hostPorts()) {
      builder.addPortMappings(port(port));
    }
    return RunPodSandboxRequest.newBuilder().setConfig(builder).build();
  }

  private static PodSandboxMetadata metadata(
      String name, String uid, String namespace, int attempt) {
    return PodSandboxMetadata.newBuilder()
        .setName(name)
        .setUid(uid)
        .setNamespace(namespace)
        .setAttempt(attempt)
        .build();
  }

  private static Map<String, String> labels(ObjectKey pod, String uid, String node) {
    return Map.of(
        POD_NAME, pod.name(), POD_NAMESPACE, pod.namespace(), POD_UID, uid, NODE_LABEL, node);
  }

  /// From the text of the file that the engine writes from it again.
  private static DNSConfig names(String resolvConf) {
    DNSConfig.Builder builder = DNSConfig.newBuilder();
    for (String line : resolvConf.lines().toList()) {
      List<String> words = List.of(line.strip().split("\\s+"));
      List<String> values = words.subList(1, words.size());
      switch (words.getFirst()) {
        case "nameserver" -> builder.addAllServers(values);
        case "search" -> builder.addAllSearches(values);
        case "options" -> builder.addAllOptions(values);
        default -> {
          // CRI has no place for it.
        }
      }
    }
    return builder.build();
  }

  private static PortMapping port(SandboxConfig.HostPort port) {
    Protocol protocol =
        switch (port.protocol()) {
          case "UDP" -> Protocol.UDP;
          case "SCTP" -> Protocol.SCTP;
          default -> Protocol.TCP;
        };
    return PortMapping.newBuilder()
        .setProtocol(protocol)
        .setContainerPort(port.containerPort())
        .setHostPort(port.hostPort())
        .setHostIp(port.hostAddress())
        .build();
  }

  private static NamespaceOption namespaces(int network, int processes, int ipc) {
    return NamespaceOption.newBuilder()
        .setNetworkValue(network)
        .setPidValue(processes)
        .setIpcValue(ipc)
        .build();
  }

  private static NamespaceOption namespaces(Sandbox sandbox) {
    return namespaces(sandbox.network(), sandbox.processes(), sandbox.ipc());
  }

  /// @param target the container whose processes are seen; empty for what the sandbox says
  private static NamespaceOption namespaces(Sandbox sandbox, String target) {
    NamespaceOption usual = namespaces(sandbox);
    return target.isEmpty()
        ? usual
        : usual.toBuilder().setPid(NamespaceMode.TARGET).setTargetId(target).build();
  }

  /// The request for a container in a sandbox.
  static CreateContainerRequest container(Sandbox sandbox, ContainerConfig config, String node) {
    return CreateContainerRequest.newBuilder()
        .setPodSandboxId(sandbox.info().id())
        .setConfig(config(sandbox, config, node))
        .setSandboxConfig(again(sandbox, node, config.security().privileged()))
        .build();
  }

  /// The configuration of an existing sandbox, as far as its containers need it: engines make
  /// `HOSTNAME` of its name, and refuse a privileged container where the sandbox is not.
  private static PodSandboxConfig again(Sandbox sandbox, String node, boolean privileged) {
    SandboxInfo info = sandbox.info();
    return PodSandboxConfig.newBuilder()
        .setMetadata(
            metadata(info.pod().name(), info.podUid(), info.pod().namespace(), info.attempt()))
        .setHostname(sandbox.hostname())
        .setLogDirectory(sandbox.logs().toString())
        .putAllLabels(labels(info.pod(), info.podUid(), node))
        .setLinux(
            LinuxPodSandboxConfig.newBuilder()
                .setCgroupParent(sandbox.cgroup())
                .setSecurityContext(
                    LinuxSandboxSecurityContext.newBuilder()
                        .setNamespaceOptions(namespaces(sandbox))
                        .setPrivileged(privileged)))
        .build();
  }

  private static CriProto.ContainerConfig config(
      Sandbox sandbox, ContainerConfig config, String node) {
    CriProto.ContainerConfig.Builder builder =
        CriProto.ContainerConfig.newBuilder()
            .setMetadata(
                ContainerMetadata.newBuilder().setName(config.name()).setAttempt(config.attempt()))
            .setImage(image(config.image()))
            .addAllCommand(config.command())
            .addAllArgs(config.arguments())
            .setWorkingDir(config.workingDirectory())
            .putAllLabels(labels(sandbox.info().pod(), sandbox.info().podUid(), node))
            .putLabels(CONTAINER_NAME, config.name())
            .putAnnotations(HASH, config.hash())
            .putAnnotations(RESTARTS, Integer.toString(config.attempt()))
            .setLogPath(sandbox.logs().relativize(config.log()).toString())
            .setStdin(config.terminal().input())
            .setStdinOnce(config.terminal().once())
            .setTty(config.terminal().screen())
            .setLinux(
                LinuxContainerConfig.newBuilder()
                    .setResources(resources(config.resources()))
                    .setSecurityContext(security(sandbox, config)));
    for (Map.Entry<String, String> one : config.environment()) {
      builder.addEnvs(KeyValue.newBuilder().setKey(one.getKey()).setValue(one.getValue()));
    }
    for (ContainerConfig.Mount mount : config.mounts()) {
      builder.addMounts(
          mount(mount.target(), mount.source().toAbsolutePath().toString(), mount.readOnly()));
    }
    if (config.mounts().stream().noneMatch(mount -> mount.target().equals("/etc/hosts"))) {
      builder.addMounts(mount("/etc/hosts", config.hosts().toString(), false));
    }
    return builder.build();
  }

  private static Mount mount(String inside, String outside, boolean readOnly) {
    return Mount.newBuilder()
        .setContainerPath(inside)
        .setHostPath(outside)
        .setReadonly(readOnly)
        .build();
  }

  private static CriProto.LinuxContainerResources resources(LinuxContainerResources resources) {
    long quota = CpuShares.quota(resources.cpuLimit());
    return CriProto.LinuxContainerResources.newBuilder()
        .setCpuPeriod(quota > 0 ? CpuShares.PERIOD : 0)
        .setCpuQuota(quota)
        .setCpuShares(CpuShares.shares(resources.cpuRequest()))
        .setMemoryLimitInBytes(resources.memoryLimit())
        .setOomScoreAdj(resources.outOfMemoryScore())
        .build();
  }

  static UpdateContainerResourcesRequest update(String id, LinuxContainerResources resources) {
    return UpdateContainerResourcesRequest.newBuilder()
        .setContainerId(id)
        .setLinux(resources(resources))
        .build();
  }

  private static CriProto.LinuxContainerSecurityContext security(
      Sandbox sandbox, ContainerConfig config) {
    LinuxContainerSecurityContext security = config.security();
    CriProto.LinuxContainerSecurityContext.Builder builder =
        CriProto.LinuxContainerSecurityContext.newBuilder()
            .setCapabilities(
                Capability.newBuilder()
                    .addAllAddCapabilities(security.add())
                    .addAllDropCapabilities(security.drop()))
            .setPrivileged(security.privileged())
            .setNamespaceOptions(namespaces(sandbox, config.target()))
            .setReadonlyRootfs(security.readOnlyRoot())
            .addAllSupplementalGroups(security.groups())
            .setNoNewPrivs(security.noNewPrivileges());
    security.user().ifPresent(id -> builder.setRunAsUser(Int64Value.newBuilder().setValue(id)));
    security.group().ifPresent(id -> builder.setRunAsGroup(Int64Value.newBuilder().setValue(id)));
    if (!security.privileged()) {
      builder.addAllMaskedPaths(MASKED).addAllReadonlyPaths(READ_ONLY);
      if (security.filtered()) {
        // The engine's own profile.
        builder.setSeccomp(SecurityProfile.getDefaultInstance());
      }
    }
    return builder.build();
  }

  static ImageSpec image(String reference) {
    return ImageSpec.newBuilder().setImage(reference).build();
  }

  /// The sandboxes of a node.
  static ListPodSandboxRequest sandboxesOf(String node) {
    return ListPodSandboxRequest.newBuilder()
        .setFilter(PodSandboxFilter.newBuilder().putLabelSelector(NODE_LABEL, node))
        .build();
  }

  /// The containers of a node.
  static ListContainersRequest containersOf(String node) {
    return ListContainersRequest.newBuilder()
        .setFilter(ContainerFilter.newBuilder().putLabelSelector(NODE_LABEL, node))
        .build();
  }

  static PodSandboxStatusRequest sandboxStatus(String id) {
    return PodSandboxStatusRequest.newBuilder().setPodSandboxId(id).build();
  }

  static ContainerStatusRequest containerStatus(String id) {
    return ContainerStatusRequest.newBuilder().setContainerId(id).build();
  }
}
