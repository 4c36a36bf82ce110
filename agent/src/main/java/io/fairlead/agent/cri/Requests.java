package io.fairlead.agent.cri;

import io.fairlead.agent.cgroup.CpuShares;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.PodTraits;
import io.fairlead.agent.runtime.Resources;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.runtime.Security;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/// What the agent asks of an engine, as messages of CRI v1. Pure. The numbers are those of the
/// protocol's fields; comments give their names.
final class Requests {
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

  /// Parts of `/proc` and `/sys` that tell about the machine, hidden from containers.
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

  private Requests() {}

  /// `PodSandboxConfig` of a new sandbox.
  ///
  /// @param node whose sandbox it is
  static Message sandbox(SandboxConfig config, String node, String cgroup) {
    PodTraits traits = config.traits();
    long network = config.hostNetwork() ? Sandbox.NODE : Sandbox.POD;
    long processes =
        traits.hostProcesses()
            ? Sandbox.NODE
            : traits.sharedProcesses() ? Sandbox.POD : Sandbox.CONTAINER;
    long ipc = traits.hostIpc() ? Sandbox.NODE : Sandbox.POD;
    Message.Writer writer =
        Message.write()
            .message(
                1, // metadata
                metadata(
                    config.pod().name(),
                    config.podUid(),
                    config.pod().namespace(),
                    config.attempt()))
            // A name of its own needs a namespace of its own, which the machine's network has not.
            .text(2, config.hostNetwork() ? "" : config.hostname())
            .text(3, traits.logs().toString()) // log_directory
            .message(4, names(config.resolvConf())) // dns_config
            .map(6, labels(config, node))
            .map(
                7, // annotations
                Map.of(
                    GRACE,
                    Long.toString(config.graceSeconds()),
                    LOGS,
                    traits.logs().toString(),
                    CGROUP,
                    cgroup))
            .message(
                8, // linux
                Message.write()
                    .text(1, cgroup) // cgroup_parent
                    .message(
                        2, // security_context
                        Message.write()
                            .message(1, namespaces(network, processes, ipc))
                            .flag(6, traits.privileged())
                            .build())
                    .map(3, traits.sysctls())
                    .build());
    for (SandboxConfig.HostPort port : config.hostPorts()) {
      writer.message(5, port(port)); // port_mappings
    }
    return writer.build();
  }

  private static Message metadata(String name, String uid, String namespace, int attempt) {
    return Message.write().text(1, name).text(2, uid).text(3, namespace).number(4, attempt).build();
  }

  private static Map<String, String> labels(SandboxConfig config, String node) {
    Map<String, String> labels = new TreeMap<>();
    labels.put(POD_NAME, config.pod().name());
    labels.put(POD_NAMESPACE, config.pod().namespace());
    labels.put(POD_UID, config.podUid());
    labels.put(NODE_LABEL, node);
    return labels;
  }

  /// `DNSConfig`, from the text of the file it becomes again.
  private static Message names(String resolvConf) {
    Message.Writer writer = Message.write();
    for (String line : resolvConf.lines().toList()) {
      List<String> words = List.of(line.strip().split("\\s+"));
      int number =
          switch (words.getFirst()) {
            case "nameserver" -> 1;
            case "search" -> 2;
            case "options" -> 3;
            default -> 0;
          };
      if (number > 0) {
        writer.texts(number, words.subList(1, words.size()));
      }
    }
    return writer.build();
  }

  private static Message port(SandboxConfig.HostPort port) {
    long protocol =
        switch (port.protocol()) {
          case "UDP" -> 1;
          case "SCTP" -> 2;
          default -> 0;
        };
    return Message.write()
        .number(1, protocol)
        .number(2, port.containerPort())
        .number(3, port.hostPort())
        .text(4, port.hostAddress())
        .build();
  }

  private static Message namespaces(long network, long processes, long ipc) {
    return Message.write().number(1, network).number(2, processes).number(3, ipc).build();
  }

  /// `CreateContainerRequest`.
  static Message container(Sandbox sandbox, ContainerConfig config, String node) {
    return Message.write()
        .text(1, sandbox.info().id()) // pod_sandbox_id
        .message(2, config(sandbox, config, node))
        .message(3, again(sandbox, node)) // sandbox_config
        .build();
  }

  /// `PodSandboxConfig` of a sandbox that is there, as far as its containers need it.
  private static Message again(Sandbox sandbox, String node) {
    SandboxInfo info = sandbox.info();
    return Message.write()
        .message(
            1, metadata(info.pod().name(), info.podUid(), info.pod().namespace(), info.attempt()))
        .text(3, sandbox.logs().toString())
        .map(
            6,
            Map.of(
                POD_NAME,
                info.pod().name(),
                POD_NAMESPACE,
                info.pod().namespace(),
                POD_UID,
                info.podUid(),
                NODE_LABEL,
                node))
        .message(
            8,
            Message.write()
                .text(1, sandbox.cgroup())
                .message(
                    2,
                    Message.write()
                        .message(
                            1, namespaces(sandbox.network(), sandbox.processes(), sandbox.ipc()))
                        .build())
                .build())
        .build();
  }

  private static Message config(Sandbox sandbox, ContainerConfig config, String node) {
    Map<String, String> labels = new TreeMap<>();
    labels.put(POD_NAME, sandbox.info().pod().name());
    labels.put(POD_NAMESPACE, sandbox.info().pod().namespace());
    labels.put(POD_UID, sandbox.info().podUid());
    labels.put(CONTAINER_NAME, config.name());
    labels.put(NODE_LABEL, node);
    Message.Writer writer =
        Message.write()
            .message(1, Message.write().text(1, config.name()).number(2, config.attempt()).build())
            .message(2, image(config.image()))
            .texts(3, config.command())
            .texts(4, config.arguments())
            .text(5, config.workingDirectory())
            .map(9, labels)
            .map(10, Map.of(HASH, config.hash(), RESTARTS, Integer.toString(config.attempt())))
            .text(11, sandbox.logs().relativize(config.log()).toString())
            .flag(12, config.terminal().input())
            .flag(13, config.terminal().once())
            .flag(14, config.terminal().screen())
            .message(
                15, // linux
                Message.write()
                    .message(1, resources(config.resources()))
                    .message(2, security(sandbox, config.security()))
                    .build());
    for (Map.Entry<String, String> one : config.environment()) {
      writer.message(6, Message.write().text(1, one.getKey()).text(2, one.getValue()).build());
    }
    for (ContainerConfig.Mount mount : config.mounts()) {
      writer.message(
          7, mount(mount.target(), mount.source().toAbsolutePath().toString(), mount.readOnly()));
    }
    if (config.mounts().stream().noneMatch(mount -> mount.target().equals("/etc/hosts"))) {
      writer.message(7, mount("/etc/hosts", config.hosts().toString(), false));
    }
    return writer.build();
  }

  private static Message mount(String inside, String outside, boolean readOnly) {
    return Message.write().text(1, inside).text(2, outside).flag(3, readOnly).build();
  }

  /// `LinuxContainerResources`.
  private static Message resources(Resources resources) {
    long quota = CpuShares.quota(resources.cpuLimit());
    return Message.write()
        .number(1, quota > 0 ? CpuShares.PERIOD : 0)
        .number(2, quota)
        .number(3, CpuShares.shares(resources.cpuRequest()))
        .number(4, resources.memoryLimit())
        .number(5, resources.outOfMemoryScore())
        .build();
  }

  /// `LinuxContainerSecurityContext`.
  private static Message security(Sandbox sandbox, Security security) {
    Message.Writer writer =
        Message.write()
            .message(
                1, // capabilities
                Message.write().texts(1, security.add()).texts(2, security.drop()).build())
            .flag(2, security.privileged())
            .message(3, namespaces(sandbox.network(), sandbox.processes(), sandbox.ipc()))
            .flag(7, security.readOnlyRoot())
            .numbers(8, security.groups())
            .flag(11, security.noNewPrivileges());
    value(writer, 5, security.user()); // run_as_user
    value(writer, 12, security.group()); // run_as_group
    if (!security.privileged()) {
      writer.texts(13, MASKED).texts(14, READ_ONLY);
      if (security.filtered()) {
        writer.message(15, Message.EMPTY); // seccomp: the engine's own profile
      }
    }
    return writer.build();
  }

  private static void value(Message.Writer writer, int number, OptionalLong value) {
    if (value.isPresent()) {
      writer.message(number, Message.write().number(1, value.getAsLong()).build());
    }
  }

  /// `ImageSpec`.
  static Message image(String reference) {
    return Message.write().text(1, reference).build();
  }

  /// A request whose first field is an identity.
  static Message identity(String id) {
    return Message.write().text(1, id).build();
  }

  /// `ListPodSandboxRequest`: those of a node.
  static Message sandboxesOf(String node) {
    return Message.write()
        .message(1, Message.write().map(3, Map.of(NODE_LABEL, node)).build())
        .build();
  }

  /// `ListContainersRequest`: those of a node.
  static Message containersOf(String node) {
    return Message.write()
        .message(1, Message.write().map(4, Map.of(NODE_LABEL, node)).build())
        .build();
  }
}
