package io.fairlead.agent;

import io.fairlead.agent.builtin.BuiltinRuntime;
import io.fairlead.agent.containerd.PrivateContainerd;
import io.fairlead.agent.cri.CriRuntime;
import io.fairlead.agent.cri.PodCgroups;
import io.fairlead.agent.image.PauseImage;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.network.PodNetwork;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.api.net.Cidr;
import io.fairlead.work.Pacer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes the runtimes of an agent, and undoes what they left when no agent is there any more.
final class RuntimeFactory {
  private static final Logger log = LoggerFactory.getLogger(RuntimeFactory.class);
  private static final Duration STEP = Duration.ofMillis(50);
  private static final int TRIES = 1200;

  /// Remembers the socket of the engine, for the day of undoing.
  private static final String ENGINE = "engine";

  private final Path directory;
  private final HostNamespace host;
  private final InstantSource clock;
  private final Pacer pacer;

  RuntimeFactory(Path directory, HostNamespace host, InstantSource clock, Pacer pacer) {
    this.directory = directory;
    this.host = host;
    this.clock = clock;
    this.pacer = pacer;
  }

  /// @param parts gets what must be closed
  /// @throws IllegalStateException when the engine that is wanted cannot be had
  ContainerRuntime open(
      AgentOptions options, PodNetwork network, List<Cidr> ranges, Deque<AutoCloseable> parts)
      throws InterruptedException {
    RuntimeOptions wanted = options.runtime();
    Optional<CriRuntime> engine = Optional.empty();
    if (wanted.kind() != RuntimeOptions.Kind.BUILTIN) {
      try {
        engine = engine(options, network, ranges, parts);
      } catch (RuntimeFailure e) {
        if (wanted.kind() == RuntimeOptions.Kind.CRI || wanted.socket().isEmpty()) {
          throw new IllegalStateException(e.text(), e);
        }
        log.atWarn().addKeyValue("why", e.text()).log("going on without a container engine");
      }
    }
    ContainerRuntime runtime;
    if (engine.isPresent() && wanted.kind() == RuntimeOptions.Kind.CRI) {
      runtime = engine.get();
    } else {
      BuiltinRuntime builtin = new BuiltinRuntime(network, directory.resolve("runtime"), clock);
      runtime = engine.isPresent() ? new AutoRuntime(builtin, engine.get()) : builtin;
    }
    parts.push(runtime);
    return runtime;
  }

  private Optional<CriRuntime> engine(
      AgentOptions options, PodNetwork network, List<Cidr> ranges, Deque<AutoCloseable> parts)
      throws InterruptedException {
    RuntimeOptions wanted = options.runtime();
    if (wanted.socket().isPresent()) {
      Path socket = wanted.socket().get();
      if (wanted.kind() == RuntimeOptions.Kind.AUTO && !Files.exists(socket)) {
        return Optional.empty();
      }
      CriRuntime runtime = connect(socket, options.nodeName(), wanted.cgroupRoot());
      remember(socket, options.nodeName(), wanted.cgroupRoot());
      return Optional.of(runtime);
    }
    PrivateContainerd containerd =
        new PrivateContainerd(directory.resolve("containerd"), host, pacer);
    parts.push(containerd);
    containerd.start(
        ranges, directory.resolve("network"), network.mtu(), options.network().plugins());
    CriRuntime runtime = connect(containerd.socket(), options.nodeName(), wanted.cgroupRoot());
    remember(containerd.socket(), options.nodeName(), wanted.cgroupRoot());
    awaitPause(runtime);
    // Addresses of sandboxes that this engine no longer has.
    network.keepOnly(Set.copyOf(runtime.sandboxIds()), holder -> !BuiltinRuntime.ours(holder));
    return Optional.of(runtime);
  }

  private CriRuntime connect(Path socket, String node, String cgroupRoot) {
    return CriRuntime.open(socket, node, cgroups(cgroupRoot), clock, pacer).inside(host);
  }

  private PodCgroups cgroups(String root) {
    return PodCgroups.ofMachine(directory.resolve("cgroups"), root);
  }

  /// The engine learns of an import a moment later.
  private void awaitPause(CriRuntime runtime) throws InterruptedException {
    for (int i = 0; i < TRIES && runtime.image(PauseImage.REFERENCE).isEmpty(); i++) {
      pacer.pause(STEP);
    }
  }

  private void remember(Path socket, String node, String cgroupRoot) {
    try {
      Files.write(directory.resolve(ENGINE), List.of(socket.toString(), node, cgroupRoot));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Ends and removes every container and sandbox, and the containerd of one's own.
  void removeAll(PodNetwork network) {
    try (BuiltinRuntime left = new BuiltinRuntime(network, directory.resolve("runtime"), clock)) {
      removeAll(left);
    }
    try {
      removeEngine();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while containers end", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void removeEngine() throws IOException, InterruptedException {
    Path file = directory.resolve(ENGINE);
    Path home = directory.resolve("containerd");
    boolean own = PrivateContainerd.isIn(home);
    if (!Files.exists(file) && !own) {
      return;
    }
    PrivateContainerd containerd = new PrivateContainerd(home, host, pacer);
    if (own) {
      containerd.resume();
    }
    if (Files.exists(file)) {
      List<String> lines = Files.readAllLines(file);
      String cgroupRoot = lines.size() > 2 ? lines.get(2) : "/";
      try (CriRuntime left = connect(Path.of(lines.get(0)), lines.get(1), cgroupRoot)) {
        removeAll(left);
      } catch (RuntimeFailure e) {
        if (own) {
          throw e;
        }
        log.atWarn()
            .addKeyValue("engine", lines.get(0))
            .addKeyValue("why", e.text())
            .log("containers of this node in an engine that is gone are left to it");
      }
      PodCgroups cgroups = cgroups(cgroupRoot);
      cgroups.made().forEach(cgroups::remove);
      cgroups.removeParents();
      Files.deleteIfExists(file);
    }
    if (own) {
      containerd.end();
    }
  }

  private static void removeAll(ContainerRuntime runtime) {
    for (SandboxInfo sandbox : runtime.sandboxes()) {
      runtime.stopSandbox(sandbox.id());
    }
    for (ContainerInfo container : runtime.containers()) {
      runtime.remove(container.id());
    }
    for (SandboxInfo sandbox : runtime.sandboxes()) {
      runtime.removeSandbox(sandbox.id());
    }
  }
}
