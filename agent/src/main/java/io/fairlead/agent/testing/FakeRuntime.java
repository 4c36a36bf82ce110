package io.fairlead.agent.testing;

import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.runtime.ContainerState;
import io.fairlead.agent.runtime.ContainerUsage;
import io.fairlead.agent.runtime.ExecResult;
import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A runtime in memory whose containers behave as the test has set them, on any clock. Guarded by
/// its own lock.
///
/// A container's state follows from the clock alone: it is not moved by a thread.
public final class FakeRuntime implements ContainerRuntime {
  /// Says what a run of a container does.
  public interface Script {
    Behaviour of(String container, int attempt);
  }

  private static final class Box {
    SandboxInfo info;

    Box(SandboxInfo info) {
      this.info = info;
    }
  }

  private static final class Run {
    final ContainerConfig config;
    final String sandbox;
    final String pod;
    final Behaviour behaviour;
    @Nullable Instant started;
    @Nullable Instant asked;
    @Nullable Instant forced;
    @Nullable Instant notStarted;

    Run(ContainerConfig config, String sandbox, String pod, Behaviour behaviour) {
      this.config = config;
      this.sandbox = sandbox;
      this.pod = pod;
      this.behaviour = behaviour;
    }
  }

  private record End(Instant at, int code) {}

  /// More is refused.
  private static final long MOST_MEMORY = 1L << 40;

  private final InstantSource clock;
  private final Script script;
  private final Map<String, Box> boxes = new LinkedHashMap<>();
  private final Map<String, Run> runs = new LinkedHashMap<>();
  private final List<String> calls = new ArrayList<>();
  private final Set<String> images = new HashSet<>();
  private boolean everyImage = true;
  private @Nullable String networkProblem;
  private @Nullable ContainerUsage each;
  private boolean silent;
  private int numbers;

  public FakeRuntime(InstantSource clock, Script script) {
    this.clock = clock;
    this.script = script;
  }

  /// From now on only these images are there; others cannot be pulled.
  public synchronized void onlyImages(Set<String> present) {
    everyImage = false;
    images.clear();
    images.addAll(present);
  }

  /// @param problem null for none
  public synchronized void networkProblem(@Nullable String problem) {
    networkProblem = problem;
  }

  /// From now on every running container has used that much.
  public synchronized void eachUses(ContainerUsage usage) {
    each = usage;
  }

  /// Reports no usage of containers from now on.
  public synchronized void tellNoUsage() {
    silent = true;
  }

  /// Ends a sandbox as a crash of its own would.
  public synchronized void breakSandbox(String id) {
    stopSandbox(id);
  }

  /// Every start, stop and the like, with the seconds since the epoch, in order.
  public synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  /// When a container will end next by itself or by force.
  public synchronized Optional<Instant> nextEvent() {
    Instant now = clock.instant();
    return runs.values().stream()
        .flatMap(run -> end(run).stream())
        .map(End::at)
        .filter(at -> at.isAfter(now))
        .min(Instant::compareTo);
  }

  @Override
  public String version() {
    return "fake://1";
  }

  @Override
  public String shown(String container) {
    return "fake://" + container;
  }

  @Override
  public synchronized Optional<String> networkProblem() {
    return Optional.ofNullable(networkProblem);
  }

  @Override
  public synchronized Optional<String> image(String reference) {
    return everyImage || images.contains(reference)
        ? Optional.of("fake://" + reference)
        : Optional.empty();
  }

  @Override
  public synchronized void pull(String reference) {
    call("pull " + reference);
    if (image(reference).isEmpty()) {
      throw new RuntimeFailure("ErrImagePull", reference + ": not found");
    }
  }

  @Override
  public synchronized SandboxInfo runSandbox(SandboxConfig config) {
    String id = "s" + ++numbers;
    call("sandbox " + config.attempt());
    SandboxInfo info =
        new SandboxInfo(
            id,
            config.podUid(),
            config.pod(),
            config.attempt(),
            true,
            config.hostNetwork(),
            config.hostNetwork() ? List.of() : List.of("10.244.0." + (numbers + 1)),
            clock.instant(),
            config.graceSeconds());
    boxes.put(id, new Box(info));
    return info;
  }

  @Override
  public synchronized void stopSandbox(String id) {
    Box box = boxes.get(id);
    if (box == null || !box.info.ready()) {
      return;
    }
    call("stop sandbox " + box.info.attempt());
    box.info = box.info.stopped();
    for (Run run : runs.values()) {
      if (run.sandbox.equals(id) && run.started != null && end(run).isEmpty()) {
        run.forced = clock.instant();
      }
    }
  }

  @Override
  public synchronized void removeSandbox(String id) {
    stopSandbox(id);
    boxes.remove(id);
  }

  @Override
  public synchronized List<SandboxInfo> sandboxes() {
    return boxes.values().stream().map(box -> box.info).toList();
  }

  @Override
  public synchronized String create(String sandbox, ContainerConfig config) {
    Box box = boxes.get(sandbox);
    if (box == null || !box.info.ready()) {
      throw new RuntimeFailure("CreateContainerError", "sandbox " + sandbox + " is not there");
    }
    String id = "c" + ++numbers;
    Behaviour behaviour = script.of(config.name(), config.attempt());
    runs.put(id, new Run(config, sandbox, box.info.podUid(), behaviour));
    return id;
  }

  @Override
  public synchronized void start(String id) {
    Run run = Optional.ofNullable(runs.get(id)).orElseThrow();
    if (!run.behaviour.startProblem().isEmpty()) {
      // As engines do: the run has ended before it began.
      run.notStarted = clock.instant();
      throw new RuntimeFailure("RunContainerError", run.behaviour.startProblem());
    }
    call("start " + run.config.name());
    run.started = clock.instant();
  }

  @Override
  public synchronized void stop(String id, Duration grace) {
    Run run = runs.get(id);
    if (run == null || run.started == null) {
      return;
    }
    Instant now = clock.instant();
    Instant force = now.plus(grace);
    if (run.asked == null) {
      call("term " + run.config.name());
      run.asked = now;
    }
    if (run.forced == null || force.isBefore(run.forced)) {
      run.forced = force;
    }
  }

  @Override
  public synchronized void remove(String id) {
    runs.remove(id);
  }

  @Override
  public synchronized List<ContainerInfo> containers() {
    List<ContainerInfo> list = new ArrayList<>();
    runs.forEach((id, run) -> list.add(info(id, run)));
    return list;
  }

  @Override
  public synchronized Map<String, ContainerUsage> usage() {
    if (silent) {
      throw new RuntimeFailure("ContainerCreating", "the engine is away");
    }
    ContainerUsage usage = each;
    return usage == null
        ? Map.of()
        : containers().stream()
            .filter(ContainerInfo::running)
            .collect(Collectors.toMap(ContainerInfo::id, _ -> usage));
  }

  @Override
  public synchronized void resize(
      String podUid,
      LinuxContainerResources whole,
      Map<String, LinuxContainerResources> containers) {
    if (whole.memoryLimit() > MOST_MEMORY) {
      throw new RuntimeFailure("ContainerCreating", "no such amount of memory");
    }
    containers.forEach(
        (id, resources) ->
            call(
                "resize "
                    + Objects.requireNonNull(runs.get(id)).config.name()
                    + " to "
                    + resources.cpuLimit()
                    + "m of "
                    + whole.cpuLimit()
                    + "m"));
  }

  private ContainerInfo info(String id, Run run) {
    Instant now = clock.instant();
    if (run.notStarted != null) {
      return created(id, run)
          .ended(128, "StartError", run.behaviour.startProblem(), run.notStarted);
    }
    End end = end(run).filter(one -> !one.at().isAfter(now)).orElse(null);
    ContainerState state =
        run.started == null
            ? ContainerState.CREATED
            : end == null ? ContainerState.RUNNING : ContainerState.EXITED;
    ContainerInfo created = created(id, run);
    return switch (state) {
      case CREATED -> created;
      case RUNNING -> created.begun(Objects.requireNonNull(run.started));
      case EXITED ->
          created
              .begun(Objects.requireNonNull(run.started))
              .ended(
                  Objects.requireNonNull(end).code(),
                  end.code() == 0 ? "Completed" : "Error",
                  "",
                  end.at());
    };
  }

  private static ContainerInfo created(String id, Run run) {
    return new ContainerInfo(
        id,
        run.pod,
        run.sandbox,
        run.config.name(),
        run.config.attempt(),
        ContainerState.CREATED,
        0,
        "",
        "",
        Instant.EPOCH,
        Instant.EPOCH,
        run.config.image(),
        "fake://" + run.config.image(),
        run.config.hash());
  }

  /// The first of the ways a run may end.
  private static Optional<End> end(Run run) {
    if (run.started == null) {
      return Optional.empty();
    }
    List<End> ends = new ArrayList<>();
    if (run.behaviour.endsAfter() != null) {
      ends.add(new End(run.started.plus(run.behaviour.endsAfter()), run.behaviour.exitCode()));
    }
    if (run.asked != null && run.behaviour.obeysAfter() != null) {
      ends.add(new End(run.asked.plus(run.behaviour.obeysAfter()), run.behaviour.obeyCode()));
    }
    if (run.forced != null) {
      ends.add(new End(run.forced, 137));
    }
    return ends.stream().min(Comparator.comparing(End::at));
  }

  @Override
  public synchronized void reopenLog(String id) {
    Run run = runs.get(id);
    if (run != null) {
      call("reopen log of " + run.config.name());
    }
  }

  @Override
  public synchronized ExecResult exec(String id, List<String> command, Duration timeout) {
    call("exec " + String.join(" ", command));
    return new ExecResult(0, "", false);
  }

  /// Nothing here changes by itself: the test moves the clock.
  @Override
  public void onChange(Consumer<String> listener) {}

  @Override
  public void close() {}

  private void call(String what) {
    calls.add(clock.instant().getEpochSecond() + " " + what);
  }
}
