package io.fairlead.agent;

import io.fairlead.agent.builtin.BuiltinRuntime;
import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.runtime.ContainerUsage;
import io.fairlead.agent.runtime.ExecResult;
import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.runtime.PodTraits;
import io.fairlead.agent.runtime.RegistryCredentials;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Two runtimes behind one interface: names of the catalogue run in the built-in one, everything
/// else in the engine. Which one is decided once per sandbox, by names alone: no registry is asked.
///
/// A pod may say which it wants. One that mixes names of both runs in the engine, which then cannot
/// have the catalogue's.
///
/// Safe for many threads: it keeps nothing itself.
public final class AutoRuntime implements ContainerRuntime {
  private static final String ENGINE = "cri";
  private static final String BUILTIN = "builtin";

  private final ContainerRuntime builtin;
  private final ContainerRuntime engine;

  public AutoRuntime(ContainerRuntime builtin, ContainerRuntime engine) {
    this.builtin = builtin;
    this.engine = engine;
  }

  /// Whether a pod runs in the engine.
  ///
  /// @throws RuntimeFailure when it wants a runtime that does not exist
  static boolean inEngine(PodTraits traits) {
    return switch (traits.runtime()) {
      case ENGINE -> true;
      case BUILTIN -> false;
      case "" -> !traits.images().stream().allMatch(BuiltinRuntime::knows);
      default ->
          throw new RuntimeFailure(
              "ContainerCreating",
              "no runtime \"" + traits.runtime() + "\" on this node: there are cri and builtin");
    };
  }

  private ContainerRuntime ofSandbox(String id) {
    return BuiltinRuntime.ours(id) ? builtin : engine;
  }

  private ContainerRuntime ofContainer(String id) {
    return BuiltinRuntime.ours(id) ? builtin : engine;
  }

  private ContainerRuntime ofImage(String reference) {
    return BuiltinRuntime.knows(reference) ? builtin : engine;
  }

  @Override
  public String version() {
    return engine.version();
  }

  @Override
  public String shown(String container) {
    return ofContainer(container).shown(container);
  }

  /// The built-in runtime has a network of its own: an engine without one stops only its own pods.
  @Override
  public Optional<String> networkProblem() {
    return builtin.networkProblem();
  }

  @Override
  public Optional<String> image(String reference) {
    return ofImage(reference).image(reference);
  }

  @Override
  public void pull(String reference) {
    ofImage(reference).pull(reference);
  }

  @Override
  public void pull(String reference, Optional<RegistryCredentials> who) {
    ofImage(reference).pull(reference, who);
  }

  @Override
  public SandboxInfo runSandbox(SandboxConfig config) {
    if (!inEngine(config.traits())) {
      return builtin.runSandbox(config);
    }
    Optional<String> problem = engine.networkProblem();
    if (problem.isPresent() && !config.hostNetwork()) {
      throw new RuntimeFailure("ContainerCreating", problem.get());
    }
    return engine.runSandbox(config);
  }

  @Override
  public void stopSandbox(String id) {
    ofSandbox(id).stopSandbox(id);
  }

  @Override
  public void removeSandbox(String id) {
    ofSandbox(id).removeSandbox(id);
  }

  @Override
  public List<SandboxInfo> sandboxes() {
    return Stream.concat(builtin.sandboxes().stream(), engine.sandboxes().stream()).toList();
  }

  @Override
  public String create(String sandbox, ContainerConfig config) {
    if (BuiltinRuntime.ours(sandbox) != BuiltinRuntime.knows(config.image())) {
      throw new RuntimeFailure(
          "CreateContainerError",
          "image \""
              + config.image()
              + "\" cannot run beside the other containers of this pod: images of the built-in"
              + " catalogue and others need pods of their own");
    }
    return ofSandbox(sandbox).create(sandbox, config);
  }

  @Override
  public void start(String id) {
    ofContainer(id).start(id);
  }

  @Override
  public void stop(String id, Duration grace) {
    ofContainer(id).stop(id, grace);
  }

  @Override
  public void remove(String id) {
    ofContainer(id).remove(id);
  }

  @Override
  public List<ContainerInfo> containers() {
    return Stream.concat(builtin.containers().stream(), engine.containers().stream()).toList();
  }

  @Override
  public Map<String, ContainerUsage> usage() {
    Map<String, ContainerUsage> both = new HashMap<>(builtin.usage());
    both.putAll(engine.usage());
    return both;
  }

  /// All containers of a pod are in one runtime.
  @Override
  public void resize(
      String podUid,
      LinuxContainerResources whole,
      Map<String, LinuxContainerResources> containers) {
    boolean ours = containers.keySet().stream().anyMatch(BuiltinRuntime::ours);
    (ours ? builtin : engine).resize(podUid, whole, containers);
  }

  @Override
  public void reopenLog(String id) {
    ofContainer(id).reopenLog(id);
  }

  @Override
  public ExecResult exec(String id, List<String> command, Duration timeout) {
    return ofContainer(id).exec(id, command, timeout);
  }

  @Override
  public AttachedProcess open(String id, List<String> command, boolean input, boolean terminal) {
    return ofContainer(id).open(id, command, input, terminal);
  }

  @Override
  public Optional<AttachedProcess> attach(String id, boolean input, boolean terminal) {
    return ofContainer(id).attach(id, input, terminal);
  }

  @Override
  public Optional<Path> networkNamespace(String sandbox) throws IOException {
    return ofSandbox(sandbox).networkNamespace(sandbox);
  }

  @Override
  public Socket dial(String sandbox, int port) throws IOException {
    return ofSandbox(sandbox).dial(sandbox, port);
  }

  @Override
  public void onChange(Consumer<String> listener) {
    builtin.onChange(listener);
    engine.onChange(listener);
  }

  @Override
  public void close() {
    try {
      builtin.close();
    } finally {
      engine.close();
    }
  }
}
