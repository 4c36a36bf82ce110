package io.fairlead.agent.builtin;

import io.fairlead.agent.network.PodNetwork;
import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.runtime.ContainerState;
import io.fairlead.agent.runtime.ExecResult;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Runs workloads of the [WorkloadCatalogue] without any engine.
///
/// A sandbox is a network namespace with an address; a container is a few sockets in it, or a
/// process. Sandboxes outlive this program, so a restarted one finds each pod's address again;
/// workloads inside the program do not, and are found as ended.
///
/// Safe for many threads: the maps are concurrent, a run guards itself.
public final class BuiltinRuntime implements ContainerRuntime {
  private static final int LOST = 137;
  private static final String SCHEME = "fairlead-builtin://";

  private static final class Box {
    final SandboxConfig config;
    volatile SandboxInfo info;

    Box(SandboxConfig config, SandboxInfo info) {
      this.config = config;
      this.info = info;
    }
  }

  private final PodNetwork network;
  private final Path directory;
  private final InstantSource clock;
  private final BuiltinStateStore memory;
  private final Map<String, Box> boxes = new ConcurrentHashMap<>();
  private final Map<String, BuiltinRun> runs = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer = Tasks.sequential("builtin runtime");
  private volatile Consumer<String> listener = _ -> {};
  private volatile boolean closed;

  /// @param directory keeps what must be known after a restart
  public BuiltinRuntime(PodNetwork network, Path directory, InstantSource clock) {
    this.network = network;
    this.directory = directory;
    this.clock = clock;
    this.memory = new BuiltinStateStore(directory);
    adopt();
  }

  /// Takes over what an earlier program left.
  private void adopt() {
    for (SandboxInfo info : memory.sandboxes()) {
      boolean there = info.hostNetwork() || (info.ready() && network.isConnected(info.id()));
      if (!there) {
        // What is left of it would be in the way of the next one.
        network.disconnect(info.id());
      }
      SandboxConfig config =
          new SandboxConfig(
              info.pod(),
              info.podUid(),
              info.attempt(),
              info.hostNetwork(),
              ContainerExec.saved(directory, info.id(), "hostname"),
              ContainerExec.saved(directory, info.id(), "resolv.conf"),
              List.of(),
              info.graceSeconds(),
              directory);
      boxes.put(info.id(), new Box(config, there ? info : info.stopped()));
    }
    for (ContainerInfo info : memory.containers()) {
      ContainerInfo ended =
          info.running()
              ? info.ended(
                  LOST,
                  "ContainerStatusUnknown",
                  "the agent that ran it has ended",
                  clock.instant())
              : info;
      runs.put(info.id(), new BuiltinRun(null, ended));
    }
    network.keepOnly(
        boxes.values().stream()
            .filter(box -> box.info.ready())
            .map(box -> box.info.id())
            .collect(Collectors.toSet()),
        BuiltinRuntime::ours);
  }

  /// Whether a sandbox was made by this runtime: engines name theirs by a number alone.
  public static boolean ours(String sandbox) {
    return sandbox.indexOf('.') >= 0;
  }

  /// Whether an image is one of the catalogue.
  public static boolean knows(String image) {
    return WorkloadCatalogue.identity(image).isPresent();
  }

  @Override
  public String version() {
    return SCHEME + "1";
  }

  @Override
  public String shown(String container) {
    return SCHEME + container;
  }

  @Override
  public Optional<String> networkProblem() {
    return Optional.empty();
  }

  @Override
  public Optional<String> image(String reference) {
    return WorkloadCatalogue.identity(reference);
  }

  @Override
  public void pull(String reference) {
    if (image(reference).isEmpty()) {
      throw new RuntimeFailure(
          "ErrImagePull",
          "image \""
              + reference
              + "\" is not in the built-in catalogue (fairlead.dev/hostnames, fairlead.dev/echo,"
              + " fairlead.dev/shell, fairlead.dev/pause), and this node has no container engine");
    }
  }

  @Override
  public SandboxInfo runSandbox(SandboxConfig config) {
    String id = config.podUid() + "." + config.attempt();
    if (boxes.containsKey(id)) {
      throw new RuntimeFailure("ContainerCreating", "sandbox " + id + " is there already");
    }
    List<String> addresses =
        config.hostNetwork() ? List.of() : network.connect(id, config.hostPorts());
    SandboxInfo info =
        new SandboxInfo(
            id,
            config.podUid(),
            config.pod(),
            config.attempt(),
            true,
            config.hostNetwork(),
            addresses,
            clock.instant(),
            config.graceSeconds());
    ContainerExec.save(directory, id, "hostname", config.hostname());
    ContainerExec.save(directory, id, "resolv.conf", config.resolvConf());
    memory.keep(info);
    boxes.put(id, new Box(config, info));
    return info;
  }

  @Override
  public void stopSandbox(String id) {
    Box box = boxes.get(id);
    if (box == null || !box.info.ready()) {
      return;
    }
    for (BuiltinRun run : runs.values()) {
      if (run.info().sandbox().equals(id)) {
        run.force();
      }
    }
    if (!box.info.hostNetwork()) {
      network.disconnect(id);
    }
    box.info = box.info.stopped();
    memory.keep(box.info);
  }

  @Override
  public void removeSandbox(String id) {
    stopSandbox(id);
    boxes.remove(id);
    memory.forgetSandbox(id);
    ContainerExec.forget(directory, id);
  }

  @Override
  public List<SandboxInfo> sandboxes() {
    return boxes.values().stream().map(box -> box.info).toList();
  }

  @Override
  public String create(String sandbox, ContainerConfig config) {
    Box box = boxes.get(sandbox);
    if (box == null || !box.info.ready()) {
      throw new RuntimeFailure("CreateContainerError", "sandbox " + sandbox + " is not there");
    }
    String id = sandbox + "." + config.name() + "." + config.attempt();
    ContainerInfo info =
        new ContainerInfo(
            id,
            box.info.podUid(),
            sandbox,
            config.name(),
            config.attempt(),
            ContainerState.CREATED,
            0,
            "",
            "",
            Instant.EPOCH,
            Instant.EPOCH,
            config.image(),
            WorkloadCatalogue.identity(config.image()).orElse(""),
            config.hash());
    runs.put(id, new BuiltinRun(config, info));
    return id;
  }

  @Override
  public void start(String id) {
    BuiltinRun run = find(id);
    ContainerConfig config = run.config().orElse(null);
    Box box = boxes.get(run.info().sandbox());
    if (config == null || box == null) {
      throw new RuntimeFailure("RunContainerError", "container " + id + " cannot start again");
    }
    Workload workload =
        WorkloadCatalogue.find(config.image())
            .orElseThrow(
                () -> new RuntimeFailure("RunContainerError", "unknown: " + config.image()));
    LogFile log = new LogFile(config.log(), clock);
    Workload.Running running;
    try {
      running = workload.start(context(box), config, log);
    } catch (RuntimeFailure e) {
      log.close();
      throw e;
    }
    memory.keep(run.begun(running, log, clock.instant()));
    running.end().thenAccept(code -> over(run, code, log));
  }

  private void over(BuiltinRun run, int code, LogFile log) {
    log.close();
    ContainerInfo ended = run.over(code, clock.instant());
    if (!closed && runs.containsKey(ended.id())) {
      memory.keep(ended);
    }
    listener.accept(ended.podUid());
  }

  @Override
  public void stop(String id, Duration grace) {
    BuiltinRun run = runs.get(id);
    if (run != null) {
      run.stop(grace, clock.instant(), timer);
    }
  }

  @Override
  public void remove(String id) {
    BuiltinRun run = runs.remove(id);
    if (run != null) {
      run.force();
      memory.forgetContainer(id);
    }
  }

  @Override
  public List<ContainerInfo> containers() {
    return runs.values().stream().map(BuiltinRun::info).toList();
  }

  @Override
  public void reopenLog(String id) {
    BuiltinRun run = runs.get(id);
    if (run != null) {
      run.reopenLog();
    }
  }

  @Override
  public ExecResult exec(String id, List<String> command, Duration timeout) {
    return ContainerExec.run(container(id, false), command, timeout);
  }

  @Override
  public AttachedProcess open(String id, List<String> command, boolean input, boolean terminal) {
    try {
      return switch (container(id, terminal)) {
        case RunningContainer beside when terminal -> TerminalProgram.start(command, beside);
        case ContainerSetup alone when terminal -> TerminalProgram.startFirst(command, alone);
        case ProgramStarter container ->
            new PipedProgram(container.start(command, input, false), input);
      };
    } catch (IOException | SystemCallException e) {
      throw new RuntimeFailure("RunContainerError", String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Optional<AttachedProcess> attach(String id, boolean input, boolean terminal) {
    return find(id).running().flatMap(running -> running.attach(input));
  }

  @Override
  public Socket dial(String sandbox, int port) throws IOException {
    Box box = boxes.get(sandbox);
    if (box == null || !box.info.ready()) {
      throw new IOException("sandbox " + sandbox + " is not there");
    }
    return context(box).dial(port);
  }

  @Override
  public Optional<Path> networkNamespace(String sandbox) throws IOException {
    Box box = boxes.get(sandbox);
    if (box == null || !box.info.ready()) {
      throw new IOException("sandbox " + sandbox + " is not there");
    }
    return context(box).networkNamespace();
  }

  /// Where programs of a running container start: beside its first process, or in a container made
  /// for each when the workload has none.
  private ProgramStarter container(String id, boolean terminal) {
    BuiltinRun run = find(id);
    Box box = boxes.get(run.info().sandbox());
    Workload.Running running = run.running().orElse(null);
    ContainerConfig config = run.config().orElse(null);
    if (running == null || config == null || box == null) {
      throw new RuntimeFailure(
          "RunContainerError", "container not found (\"" + run.info().name() + "\")");
    }
    SandboxContext context = context(box);
    return running
        .process()
        .<ProgramStarter>map(first -> new RunningContainer(context, config, first, terminal))
        .orElseGet(() -> new ContainerSetup(context, config, terminal));
  }

  @Override
  public void onChange(Consumer<String> next) {
    listener = next;
  }

  /// Ends every workload; sandboxes and what is known of them stay for the next program.
  @Override
  public void close() {
    closed = true;
    timer.shutdownNow();
    runs.values().forEach(BuiltinRun::force);
  }

  private SandboxContext context(Box box) {
    return new SandboxContext(network, box.config, box.info, directory);
  }

  private BuiltinRun find(String id) {
    return Optional.ofNullable(runs.get(id))
        .orElseThrow(
            () -> new RuntimeFailure("RunContainerError", "container not found (\"" + id + "\")"));
  }

  /// Makes directories that a context needs.
  static Path made(Path directory) {
    try {
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
