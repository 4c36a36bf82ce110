package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.HandlerAction;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.pod.Probe;
import io.fairlead.agent.probe.ProbeOutcome;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.status.PodStatusGenerator;
import io.fairlead.agent.testing.FakeRuntime;
import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.random.RandomGeneratorFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One pod on a virtual clock: everything around a [PodStateMachine] in memory.
final class PodLifecycleFixture {
  /// Answers a probe of a container at a moment (seconds since the start).
  interface Answers {
    ProbeOutcome to(String container, Probe probe, long second);
  }

  private record Later(Instant at, Runnable work) implements Comparable<Later> {
    @Override
    public int compareTo(Later other) {
      return at.compareTo(other.at);
    }
  }

  private Instant now = Instant.EPOCH;
  private final Deque<Runnable> mailbox = new ArrayDeque<>();
  private final PriorityQueue<Later> later = new PriorityQueue<>();
  final List<String> events = new ArrayList<>();
  final List<String> asked = new ArrayList<>();
  final List<ObjectNode> statuses = new ArrayList<>();
  final FakeRuntime runtime;
  private final Answers answers;
  final List<String> drains = new ArrayList<>();

  /// How long proxies take to let go of the pod; empty for ever.
  Optional<Duration> letGo = Optional.empty();

  /// How far the policy component is with the pod at a second.
  interface Policies {
    PolicyProgress.State at(long second, Optional<String> version);
  }

  Policies policies = (_, _) -> PolicyProgress.State.NOT_AWAITED;

  boolean removed;
  Optional<String> configProblem = Optional.empty();
  Optional<String> mountProblem = Optional.empty();
  PodStateMachine machine;
  private ObjectNode object;

  PodLifecycleFixture(String yaml, FakeRuntime.Script script, Answers answers) {
    this.answers = answers;
    this.runtime = new FakeRuntime(() -> now, script);
    this.object = (ObjectNode) Yaml.parse(yaml);
    Json.child(object, "metadata").put("name", "p").put("namespace", "ns").put("uid", "u1");
    this.machine = machine();
  }

  PodLifecycleFixture(String yaml, FakeRuntime.Script script) {
    this(yaml, script, (container, probe, second) -> new ProbeOutcome.Success(""));
  }

  private PodStateMachine machine() {
    return new PodStateMachine(
        Pod.of(object),
        new PodWorkerDependencies(
            runtime,
            new Files(),
            new Heard(),
            new Done(),
            (_, version) -> policies.at(now.getEpochSecond(), version),
            new PodStatusGenerator("fake://", List.of("192.168.0.1")),
            () -> now,
            RandomGeneratorFactory.of("L64X128MixRandom").create(1),
            PodWorkerSettings.DEFAULT),
        mailbox::add);
  }

  /// The agent is gone and comes back: only the API and the runtime remember.
  PodLifecycleFixture restartAgent() {
    object = object.deepCopy();
    object.set("status", status().deepCopy());
    mailbox.clear();
    later.clear();
    machine = machine();
    return this;
  }

  /// Changes the pod in the API.
  PodLifecycleFixture change(Consumer<ObjectNode> edit) {
    object = object.deepCopy();
    edit.accept(object);
    machine.update(Pod.of(object));
    return this;
  }

  PodLifecycleFixture delete(long grace) {
    return change(
        body ->
            Json.child(body, "metadata")
                .put("deletionTimestamp", now.plusSeconds(grace).toString())
                .put("deletionGracePeriodSeconds", grace));
  }

  /// Lets the clock run up to a second, stopping wherever something happens.
  PodLifecycleFixture until(long second) {
    Instant end = Instant.ofEpochSecond(second);
    while (true) {
      Instant wake = settle();
      Instant next = wake;
      Instant event = runtime.nextEvent().orElse(Instant.MAX);
      next = event.isBefore(next) ? event : next;
      Later first = later.peek();
      next = first != null && first.at().isBefore(next) ? first.at() : next;
      if (next.isAfter(end)) {
        now = end;
        settle();
        return this;
      }
      now = next.isAfter(now) ? next : now.plusMillis(1);
      while (later.peek() != null && !later.peek().at().isAfter(now)) {
        later.poll().work().run();
      }
    }
  }

  /// Has the machine take a step then.
  void wakeAt(long second) {
    later.add(new Later(Instant.ofEpochSecond(second), () -> {}));
  }

  private Instant settle() {
    Instant wake = machine.step();
    while (!mailbox.isEmpty()) {
      while (!mailbox.isEmpty()) {
        mailbox.poll().run();
      }
      wake = machine.step();
    }
    return wake;
  }

  JsonNode status() {
    return machine.lastReported().orElseThrow();
  }

  String phase() {
    return Json.textOr(status(), "", "phase");
  }

  /// `True`, `False ContainersNotReady`.
  String condition(String type) {
    for (JsonNode condition : status().path("conditions")) {
      if (Json.textOr(condition, "", "type").equals(type)) {
        String reason = Json.textOr(condition, "", "reason");
        return Json.textOr(condition, "", "status") + (reason.isEmpty() ? "" : " " + reason);
      }
    }
    return "";
  }

  JsonNode container(String name) {
    for (String list : List.of("initContainerStatuses", "containerStatuses")) {
      for (JsonNode one : status().path(list)) {
        if (Json.textOr(one, "", "name").equals(name)) {
          return one;
        }
      }
    }
    return Json.object();
  }

  /// `running`, `waiting CrashLoopBackOff`, `terminated 3 Error`.
  String state(String name) {
    JsonNode state = container(name).path("state");
    if (state.has("running")) {
      return "running";
    }
    if (state.has("terminated")) {
      JsonNode end = state.path("terminated");
      return "terminated " + end.path("exitCode").asInt() + " " + Json.textOr(end, "", "reason");
    }
    return "waiting " + Json.textOr(state, "", "waiting", "reason");
  }

  /// The seconds at which a call was made.
  List<Long> seconds(String call) {
    return runtime.calls().stream()
        .filter(line -> line.substring(line.indexOf(' ') + 1).equals(call))
        .map(line -> Long.parseLong(line.substring(0, line.indexOf(' '))))
        .toList();
  }

  private final class Heard implements PodReporter {
    @Override
    public void hurry(Pod pod) {}

    @Override
    public Optional<String> acceptedVersion(Pod pod, List<String> addresses) {
      return statuses.stream()
          .filter(one -> one.path("podIPs").size() == addresses.size() && !addresses.isEmpty())
          .findFirst()
          .map(_ -> "7");
    }

    @Override
    public void event(Pod pod, boolean warning, String reason, String message) {
      events.add(reason + " " + message);
    }

    @Override
    public void status(Pod pod, ObjectNode status) {
      statuses.add(status);
    }

    @Override
    public boolean settled(Pod pod) {
      return true;
    }

    @Override
    public void remove(Pod pod) {
      removed = true;
      mailbox.add(() -> machine.vanished(Duration.ofSeconds(1)));
    }
  }

  private final class Done implements AsyncTasks {
    @Override
    public void probe(
        Pod pod,
        Container container,
        String containerId,
        String address,
        Probe.Kind kind,
        Probe probe,
        Consumer<ProbeOutcome> answer) {
      String word = kind.word().toLowerCase(Locale.ROOT);
      asked.add(now.getEpochSecond() + " " + word + " " + container.name());
      answer.accept(answers.to(container.name(), probe, now.getEpochSecond()));
    }

    @Override
    public void drain(Pod pod, Duration limit, Consumer<Optional<String>> end) {
      drains.add(now.getEpochSecond() + " for " + limit);
      letGo.ifPresent(
          after -> later.add(new Later(now.plus(after), () -> end.accept(Optional.empty()))));
    }

    @Override
    public void hook(
        Pod pod,
        Container container,
        String containerId,
        String address,
        HandlerAction action,
        Consumer<Optional<String>> end) {
      if (action instanceof HandlerAction.Sleep(long seconds)) {
        later.add(new Later(now.plusSeconds(seconds), () -> end.accept(Optional.empty())));
      } else {
        end.accept(Optional.of("no such program"));
      }
    }
  }

  private final class Files implements PodFiles {
    @Override
    public void prepare(Pod pod) {
      mountProblem.ifPresent(
          why -> {
            throw new RuntimeFailure("ContainerCreating", why);
          });
    }

    @Override
    public SandboxConfig sandbox(Pod pod, int attempt) {
      return new SandboxConfig(
          pod.key(),
          pod.uid(),
          attempt,
          pod.hostNetwork(),
          pod.name(),
          "",
          List.of(),
          pod.grace().toSeconds(),
          Path.of("/nowhere"));
    }

    @Override
    public ContainerConfig container(
        Pod pod, Container container, int attempt, List<String> addresses) {
      configProblem.ifPresent(
          why -> {
            throw new RuntimeFailure("CreateContainerConfigError", why);
          });
      return new ContainerConfig(
          container.name(),
          attempt,
          container.image(),
          container.hash(),
          container.command(),
          container.arguments(),
          List.of(),
          "",
          List.of(),
          Path.of("/nowhere"),
          Path.of("/nowhere"));
    }

    @Override
    public LinuxContainerResources resources(Pod pod, Container container) {
      return limits(container.body());
    }

    @Override
    public LinuxContainerResources resources(Pod pod) {
      return pod.containers().stream()
          .map(one -> limits(one.body()))
          .reduce(
              (a, b) ->
                  new LinuxContainerResources(
                      0, a.cpuLimit() + b.cpuLimit(), 0, a.memoryLimit() + b.memoryLimit(), 0))
          .orElse(LinuxContainerResources.NONE);
    }

    private static LinuxContainerResources limits(JsonNode container) {
      JsonNode limits = Json.at(container, "resources", "limits");
      return new LinuxContainerResources(
          0, limits.path("cpu").asLong(0) * 1000, 0, limits.path("memory").asLong(0), 0);
    }

    @Override
    public void remove(Pod pod) {}
  }
}
