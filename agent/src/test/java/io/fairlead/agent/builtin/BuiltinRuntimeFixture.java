package io.fairlead.agent.builtin;

import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.network.PodNetwork;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.runtime.LinuxContainerSecurityContext;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.testing.TestNode;
import io.fairlead.api.net.Cidr;
import io.fairlead.client.ObjectKey;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A node that is a network namespace, with the built-in runtime.
final class BuiltinRuntimeFixture implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path directory;
  private final String tag = UUID.randomUUID().toString().substring(0, 8);
  private final NetworkNamespace node = TestNode.machine("builtin");
  private PodNetwork network;
  private BuiltinRuntime runtime;

  BuiltinRuntimeFixture(Path directory) {
    this.directory = directory;
    open("10.244.7.0/24");
  }

  /// As if the program had been started again, for pods with addresses of a range.
  void open(String range) {
    network =
        new PodNetwork(
            HostNamespace.of(node), directory.resolve("network"), List.of(Cidr.parse(range)));
    network.prepare(List.of(Cidr.parse("10.244.0.0/16")), List.of());
    runtime = new BuiltinRuntime(network, directory.resolve("runtime"), InstantSource.system());
  }

  @Override
  public void close() {
    try {
      runtime.sandboxes().forEach(sandbox -> runtime.removeSandbox(sandbox.id()));
      runtime.close();
      network.tearDown();
    } finally {
      node.delete();
    }
  }

  /// What is in the names of all it makes.
  String tag() {
    return tag;
  }

  NetworkNamespace node() {
    return node;
  }

  PodNetwork network() {
    return network;
  }

  BuiltinRuntime runtime() {
    return runtime;
  }

  SandboxInfo sandbox(String name) {
    return runtime.runSandbox(
        new SandboxConfig(
            new ObjectKey("default", name),
            tag + "-" + name,
            0,
            false,
            name,
            "nameserver 10.96.0.10\n",
            List.of(),
            30,
            directory));
  }

  String start(SandboxInfo sandbox, String name, String image, String... command) {
    return start(ContainerConfig.Terminal.NONE, sandbox, name, image, command);
  }

  String start(
      ContainerConfig.Terminal terminal,
      SandboxInfo sandbox,
      String name,
      String image,
      String... command) {
    return start(terminal, sandbox, name, image, Map.of(), List.of(), command);
  }

  /// A shell with mounts and variables of its own.
  String start(
      SandboxInfo sandbox,
      String name,
      Map<String, String> variables,
      List<ContainerConfig.Mount> mounts,
      String... command) {
    return start(
        ContainerConfig.Terminal.NONE,
        sandbox,
        name,
        "fairlead.dev/shell",
        variables,
        mounts,
        command);
  }

  private String start(
      ContainerConfig.Terminal terminal,
      SandboxInfo sandbox,
      String name,
      String image,
      Map<String, String> variables,
      List<ContainerConfig.Mount> mounts,
      String... command) {
    Path hosts = directory.resolve("hosts");
    try {
      Files.writeString(hosts, "127.0.0.1\tlocalhost\n10.9.9.9\tspecial.example\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Map.Entry<String, String>> environment = new ArrayList<>(variables.entrySet());
    environment.add(Map.entry("GREETING", "hello there"));
    String id =
        runtime.create(
            sandbox.id(),
            new ContainerConfig(
                name,
                0,
                image,
                "h",
                List.of(command),
                List.of(),
                environment,
                "",
                mounts,
                hosts,
                log(name),
                LinuxContainerResources.NONE,
                LinuxContainerSecurityContext.NONE,
                terminal));
    runtime.start(id);
    return id;
  }

  Path log(String name) {
    return directory.resolve("logs").resolve(name).resolve("0.log");
  }

  ContainerInfo info(String id) {
    return runtime.containers().stream()
        .filter(one -> one.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  /// Asks a pod for a page, from the node.
  String get(String address, String path) {
    return node.call(
        () -> {
          try (Socket socket = new Socket(address, 9376)) {
            socket
                .getOutputStream()
                .write(
                    ("GET " + path + " HTTP/1.0\r\nHost: x\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return all.substring(all.indexOf("\r\n\r\n") + 4).strip();
          }
        });
  }

  /// Runs a program of the node.
  String run(String... command) {
    return CommandRunner.inside(node, PATIENCE).run("", List.of(command)).output();
  }
}
