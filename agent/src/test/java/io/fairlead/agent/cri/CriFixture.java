package io.fairlead.agent.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.containerd.PrivateContainerd;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.network.PodNetwork;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.runtime.LinuxContainerSecurityContext;
import io.fairlead.agent.runtime.PodTraits;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.testing.DebianImages;
import io.fairlead.agent.testing.TestNode;
import io.fairlead.api.net.Cidr;
import io.fairlead.client.ObjectKey;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.work.Pacer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/// A node that is a network namespace, with a containerd and one image.
final class CriFixture {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Cidr RANGE = Cidr.parse("10.244.21.0/24");
  private static final String BUSYBOX = "fairlead.test/busybox:1";

  private final Path directory;
  private final NetworkNamespace node;
  private final PodNetwork network;
  private final PrivateContainerd containerd;
  private CriRuntime runtime;

  private CriFixture(Path directory, NetworkNamespace node) throws InterruptedException {
    this.directory = directory;
    this.node = node;
    network = new PodNetwork(HostNamespace.of(node), directory.resolve("network"), List.of(RANGE));
    network.prepare(List.of(Cidr.parse("10.244.0.0/16")), List.of());
    containerd =
        new PrivateContainerd(
            directory.resolve("containerd"), HostNamespace.of(node), Pacer.system());
    containerd.start(List.of(RANGE), directory.resolve("network"));
    containerd.importArchive(DebianImages.busybox().archive(BUSYBOX));
    runtime = open();
    await().atMost(PATIENCE).until(() -> runtime.image(BUSYBOX).isPresent());
  }

  static CriFixture start(Path directory) throws InterruptedException {
    NetworkNamespace node = TestNode.machine("cri");
    try {
      return new CriFixture(directory, node);
    } catch (RuntimeException | InterruptedException e) {
      node.delete();
      throw e;
    }
  }

  /// Ends everything and looks that nothing is left.
  void close() throws IOException, InterruptedException {
    try {
      runtime.close();
      containerd.end();
      assertThat(onNode("iptables-save", "-t", "nat")).doesNotContain("CNI-HOSTPORT");
      network.tearDown();
      PodCgroups.ofMachine(directory.resolve("cgroups"), "/").removeParents();
      assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(directory + "/");
    } finally {
      node.delete();
    }
  }

  void removePods() {
    for (SandboxInfo sandbox : runtime.sandboxes()) {
      runtime.removeSandbox(sandbox.id());
    }
    assertThat(runtime.containers()).isEmpty();
  }

  NetworkNamespace node() {
    return node;
  }

  PrivateContainerd containerd() {
    return containerd;
  }

  CriRuntime runtime() {
    return runtime;
  }

  /// As if the agent had been started again.
  void reopen() {
    runtime.close();
    runtime = open();
  }

  private CriRuntime open() {
    return CriRuntime.open(
            containerd.socket(),
            "node-a",
            PodCgroups.ofMachine(directory.resolve("cgroups"), "/"),
            InstantSource.system(),
            Pacer.system())
        .inside(HostNamespace.of(node));
  }

  SandboxConfig pod(String name, LinuxContainerResources resources) {
    return pod(name, resources, false, List.of());
  }

  SandboxConfig pod(
      String name,
      LinuxContainerResources resources,
      boolean hostNetwork,
      List<SandboxConfig.HostPort> hostPorts) {
    String uid = UUID.randomUUID().toString();
    return new SandboxConfig(
        new ObjectKey("default", name),
        uid,
        0,
        hostNetwork,
        name,
        "search default.svc.cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n",
        hostPorts,
        30,
        directory,
        new PodTraits(
            directory.resolve("logs").resolve(uid),
            List.of(BUSYBOX),
            "",
            "Burstable",
            resources,
            false,
            false,
            false,
            false,
            Map.of()));
  }

  SandboxInfo sandbox(String name) {
    return runtime.runSandbox(pod(name, LinuxContainerResources.NONE));
  }

  Path log(SandboxInfo sandbox, String name) {
    return directory.resolve("logs").resolve(sandbox.podUid()).resolve(name).resolve("0.log");
  }

  ContainerConfig container(
      SandboxInfo sandbox,
      String name,
      LinuxContainerResources resources,
      LinuxContainerSecurityContext security,
      String... command) {
    Path hosts = directory.resolve("hosts");
    Path volume = directory.resolve("volume");
    try {
      Files.writeString(hosts, "127.0.0.1\tlocalhost\n10.9.9.9\tspecial.example\n");
      Files.createDirectories(volume);
      Files.writeString(volume.resolve("colour"), "blue\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ContainerConfig(
        name,
        0,
        BUSYBOX,
        "hash",
        List.of(command),
        List.of(),
        List.of(Map.entry("GREETING", "hello there")),
        "/tmp",
        List.of(new ContainerConfig.Mount(volume, "/settings", true)),
        hosts,
        log(sandbox, name),
        resources,
        security,
        ContainerConfig.Terminal.NONE);
  }

  String run(SandboxInfo sandbox, String name, String... command) {
    return run(
        sandbox,
        container(
            sandbox,
            name,
            LinuxContainerResources.NONE,
            LinuxContainerSecurityContext.NONE,
            command));
  }

  String run(SandboxInfo sandbox, ContainerConfig config) {
    String id = runtime.create(sandbox.id(), config);
    runtime.start(id);
    return id;
  }

  ContainerInfo info(String id) {
    return runtime.containers().stream()
        .filter(one -> one.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  List<String> lines(SandboxInfo sandbox, String name) {
    return said(log(sandbox, name));
  }

  static List<String> said(Path log) {
    try {
      return Files.readAllLines(log).stream()
          .map(line -> line.replaceFirst("^\\S+ \\S+ [FP] ", ""))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  String onNode(String... command) {
    return CommandRunner.inside(node, PATIENCE).run("", List.of(command)).output();
  }

  String curl(String url) {
    return onNode("curl", "-s", "--max-time", "20", url).strip();
  }

  /// The control groups of a pod, in all hierarchies.
  List<Path> groups(String uid) {
    try (Stream<Path> trees = Files.list(Path.of("/sys/fs/cgroup"))) {
      return trees
          .map(tree -> tree.resolve("kubepods/burstable/pod" + uid))
          .filter(Files::exists)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A container that visitors may talk to.
  ContainerConfig talkative(SandboxInfo sandbox, ContainerConfig.Terminal terminal, String script) {
    ContainerConfig plain =
        container(
            sandbox,
            "tools",
            LinuxContainerResources.NONE,
            LinuxContainerSecurityContext.NONE,
            "sh",
            "-c",
            script);
    return new ContainerConfig(
        plain.name(),
        plain.attempt(),
        plain.image(),
        plain.hash(),
        plain.command(),
        plain.arguments(),
        plain.environment(),
        plain.workingDirectory(),
        plain.mounts(),
        plain.hosts(),
        plain.log(),
        plain.resources(),
        plain.security(),
        terminal);
  }
}
