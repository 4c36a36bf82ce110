package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.pod.Probe;
import io.fairlead.agent.pod.RestartPolicy;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.status.ContainerStateWaiting;
import io.fairlead.agent.status.ContainerView;
import io.fairlead.agent.status.PodView;
import io.fairlead.api.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One pod from its first observation to its end.
///
/// How it works: `step` looks at what the runtime has, does what is missing, reports to the API,
/// and returns when it wants to be called again at the latest. It can be called any time and as
/// often as one likes. Nothing it must know survives only here: an agent that starts again finds
/// out from the runtime and the API. A pod goes through four stages and never back: it is kept
/// running, it is being ended, it has ended, it is forgotten.
///
/// Not safe for threads: one owner calls everything, and what comes back later comes through the
/// owner's executor.
public final class PodStateMachine {
  /// How far a pod is on its way.
  public enum Stage {
    RUNNING,
    ENDING,
    ENDED,
    FORGOTTEN
  }

  private static final int MOST_ROUNDS = 30;
  private static final String VOLUMES = "volumes";
  private static final String SANDBOX = "sandbox";

  private final PodWorkerDependencies dependencies;
  private final ContainerStarter starter;
  private final ProbeSet probes;
  private final PodTermination termination;
  private final DrainDelay drainDelay;
  private final PolicyWait policyWait;
  private final TerminationMessages messages;
  private final PodObservation observation;
  private final ContainerResizer resizer;
  private final StatusReporter reporter;
  private final Executor owner;
  private final ActiveDeadline activeDeadline;
  private final MakingBackoff makings;
  private Stage stage = Stage.RUNNING;
  private Pod pod;
  private boolean gone;
  private boolean adopted;
  private boolean removalAsked;
  private Instant wake = Instant.MAX;

  /// @param owner runs what comes back later, on the thread that calls the rest
  public PodStateMachine(Pod pod, PodWorkerDependencies dependencies, Executor owner) {
    this.pod = pod;
    this.dependencies = dependencies;
    this.owner = owner;
    this.starter = new ContainerStarter(dependencies, pod.status());
    this.makings = new MakingBackoff(dependencies.settings().making());
    this.termination = new PodTermination(dependencies, owner);
    this.drainDelay = new DrainDelay(dependencies, owner);
    this.policyWait = new PolicyWait(dependencies);
    this.messages = new TerminationMessages(dependencies.files());
    this.probes = new ProbeSet(dependencies, owner, this::ill);
    this.resizer = new ContainerResizer(dependencies);
    this.observation = new PodObservation(dependencies, starter, probes, messages, resizer);
    String phase = Json.textOr(pod.status(), "", "phase");
    boolean over = phase.equals("Succeeded") || phase.equals("Failed");
    this.reporter = new StatusReporter(dependencies, observation, over);
    this.activeDeadline = new ActiveDeadline(dependencies, reporter);
    if (over) {
      stage = Stage.ENDED;
    }
  }

  public Stage stage() {
    return stage;
  }

  public Pod pod() {
    return pod;
  }

  /// The status that the agent has reported last.
  public Optional<ObjectNode> lastReported() {
    return reporter.lastReported();
  }

  /// The pod has changed in the API.
  public void update(Pod newer) {
    if (!newer.spec().equals(pod.spec()) || !newer.annotations().equals(pod.annotations())) {
      starter.podChanged();
    }
    pod = newer;
    if (stage == Stage.ENDING && newer.deletionGrace().isPresent()) {
      termination.shorten(newer.deletionGrace().get(), now());
      drainDelay.shorten(newer.deletionGrace().get(), now());
    }
  }

  /// The pod is no longer in the API.
  ///
  /// @param grace what its containers still get
  public void vanished(Duration grace) {
    gone = true;
    drainDelay.drop();
    if (stage == Stage.ENDING) {
      termination.shorten(grace, now());
    } else if (stage == Stage.RUNNING) {
      stage = Stage.ENDING;
      termination.begin(grace, now());
    }
  }

  /// This node does not take the pod.
  public void reject(String reason, String message) {
    reporter.fail(new ContainerStateWaiting(reason, message));
    stage = Stage.ENDED;
  }

  /// Does what is due.
  ///
  /// @return when to call again at the latest
  public Instant step() {
    wake = now().plus(dependencies.settings().resync());
    if (!adopted) {
      adopted = true;
      probes.adopt(pod, view(), dependencies.statuses().shown(), now());
      if (isStale(pod) && !view().anyRunning()) {
        // Nothing may rely on it for as long as the start takes.
        report();
      }
    }
    int rounds = 0;
    while (round() && rounds < MOST_ROUNDS) {
      rounds++;
    }
    return wake;
  }

  /// Whether the API takes a pod for ready, as an agent before this one has reported it.
  static boolean isStale(Pod pod) {
    for (JsonNode condition : pod.status().path("conditions")) {
      if (Json.textOr(condition, "", "type").equals("Ready")) {
        return Json.textOr(condition, "", "status").equals("True");
      }
    }
    return false;
  }

  /// One look. True when something was done and another look is worth it.
  private boolean round() {
    PodView view = view();
    probes.step(pod, view, stage != Stage.RUNNING, now()).ifPresent(this::wakeAt);
    boolean acted =
        switch (stage) {
          case RUNNING -> sync(view);
          case ENDING -> end(view);
          case ENDED -> finish(view);
          case FORGOTTEN -> false;
        };
    if (stage != Stage.FORGOTTEN && !gone) {
      report();
    }
    return acted;
  }

  private boolean sync(PodView view) {
    List<ContainerView> initial = observation.views(pod, pod.initContainers(), view, view::latest);
    List<ContainerView> regular = observation.views(pod, pod.containers(), view, view::latest);
    if (pod.beingDeleted() || StartPlan.finished(pod, initial, regular)) {
      report();
      stage = Stage.ENDING;
      termination.begin(pod.deletionGrace().orElse(pod.grace()), now());
      if (view.anyRunning()) {
        pod.deletionGrace().ifPresent(grace -> drainDelay.begin(pod, grace, now()));
      }
      return true;
    }
    if (expired()) {
      return true;
    }
    if (now().isBefore(makings.next())) {
      wakeAt(makings.next());
      return false;
    }
    Optional<String> network = dependencies.runtime().networkProblem();
    if (network.isPresent() && !pod.hostNetwork()) {
      dependencies
          .reports()
          .event(pod, true, "NetworkNotReady", "network is not ready: " + network.get());
      wakeAt(now().plusSeconds(1));
      return false;
    }
    try {
      dependencies.files().prepare(pod);
    } catch (RuntimeFailure e) {
      dependencies.reports().event(pod, true, "FailedMount", e.text());
      wakeAt(makings.failed(VOLUMES, now()));
      return false;
    }
    makings.made(VOLUMES);
    termination.pursue(view, now()).ifPresent(this::wakeAt);
    return sandbox(view) || (view.sandbox().isPresent() && !held(view) && containers(view));
  }

  /// Begins to end a pod that has been active for longer than it may be.
  private boolean expired() {
    Optional<Instant> deadline = activeDeadline.of(pod);
    deadline.ifPresent(this::wakeAt);
    if (deadline.isEmpty() || now().isBefore(deadline.get())) {
      return false;
    }
    activeDeadline.exceeded(pod);
    stage = Stage.ENDING;
    termination.begin(pod.grace(), now());
    return true;
  }

  /// Sees to the sandbox. True when something was done.
  private boolean sandbox(PodView view) {
    if (view.sandbox().isPresent()) {
      return false;
    }
    boolean ran = !view.containers().isEmpty();
    for (SandboxInfo dead : view.sandboxes()) {
      dependencies.runtime().stopSandbox(dead.id());
    }
    if (ran && pod.restartPolicy() == RestartPolicy.NEVER) {
      stage = Stage.ENDING;
      termination.begin(pod.grace(), now());
      return true;
    }
    int attempt = view.sandboxes().isEmpty() ? 0 : view.sandboxes().getFirst().attempt() + 1;
    if (attempt > 0) {
      dependencies
          .reports()
          .event(
              pod,
              false,
              "SandboxChanged",
              "Pod sandbox changed, it will be killed and re-created.");
    }
    try {
      dependencies.runtime().runSandbox(dependencies.files().sandbox(pod, attempt));
      makings.made(SANDBOX);
      view.sandboxes().forEach(dead -> dependencies.runtime().removeSandbox(dead.id()));
      return true;
    } catch (RuntimeFailure e) {
      dependencies
          .reports()
          .event(pod, true, "FailedCreatePodSandBox", "Failed to create pod sandbox: " + e.text());
      wakeAt(makings.failed(SANDBOX, now()));
      return false;
    }
  }

  /// Whether the containers wait for the policies that select the pod.
  private boolean held(PodView view) {
    Optional<Instant> until = policyWait.until(pod, view, view.sandbox().orElseThrow(), now());
    until.ifPresent(this::wakeAt);
    return until.isPresent();
  }

  private boolean containers(PodView view) {
    SandboxInfo sandbox = view.sandbox().orElseThrow();
    for (Container container : resizer.step(pod, view)) {
      restart(container, view, "Container " + container.name() + " resize requires restart");
    }
    StartPlan plan =
        StartPlan.of(
            pod,
            observation.views(pod, pod.initContainers(), view, view::current),
            observation.views(pod, pod.containers(), view, view::current));
    for (Container container : plan.replace()) {
      restart(
          container,
          view,
          "Container " + container.name() + " definition changed, will be restarted");
    }
    List<Container> start = new ArrayList<>(ephemeral(view));
    start.addAll(plan.start());
    boolean acted = false;
    for (Container container : start) {
      ContainerStarter.Attempt attempt = starter.start(pod, container, sandbox, view, now());
      attempt.again().ifPresent(this::wakeAt);
      if (attempt.started().isPresent()) {
        acted = true;
        resizer.started(container, attempt.started().get());
        postStart(container, attempt.started().get(), sandbox);
        forgetOldRuns(container.name());
      }
    }
    return acted;
  }

  private void restart(Container container, PodView view, String message) {
    view.current(container.name()).ifPresent(run -> kill(container, run, message, pod.grace()));
  }

  private List<Container> ephemeral(PodView view) {
    return StartPlan.ephemeral(
        observation.views(pod, pod.ephemeralContainers(), view, view::latest));
  }

  private void postStart(Container container, String id, SandboxInfo sandbox) {
    container
        .postStart()
        .ifPresent(
            action ->
                dependencies
                    .tasks()
                    .hook(
                        pod,
                        container,
                        id,
                        sandbox.addresses().stream().findFirst().orElse("127.0.0.1"),
                        action,
                        end ->
                            owner.execute(
                                () -> end.ifPresent(why -> hookFailed(container, id, why)))));
  }

  private void hookFailed(Container container, String id, String why) {
    dependencies.reports().event(pod, true, "FailedPostStartHook", "PostStartHook failed: " + why);
    starter.waitFor(container.name(), new ContainerStateWaiting("PostStartHookError", why));
    view()
        .latest(container.name())
        .filter(run -> run.id().equals(id) && run.running())
        .ifPresent(run -> kill(container, run, "FailedPostStartHook", pod.grace()));
  }

  /// Of each container the run before the last is kept, for its end and its log.
  private void forgetOldRuns(String name) {
    view().containers().stream()
        .filter(run -> run.name().equals(name))
        .skip(2)
        .forEach(
            run -> {
              dependencies.runtime().remove(run.id());
              messages.forget(run.id());
            });
  }

  private void ill(Container container, ContainerInfo run, Probe.Kind kind, Probe probe) {
    if (stage != Stage.RUNNING) {
      return;
    }
    String word = kind.word().toLowerCase(Locale.ROOT);
    kill(
        container,
        run,
        "Container " + container.name() + " failed " + word + " probe, will be restarted",
        probe.grace().orElse(pod.grace()));
  }

  private void kill(Container container, ContainerInfo run, String message, Duration grace) {
    termination.kill(pod, container, run, address(), message, grace, now());
    termination.pursue(view(), now()).ifPresent(this::wakeAt);
  }

  private boolean end(PodView view) {
    Optional<Instant> held = view.anyRunning() ? drainDelay.until(pod, now()) : Optional.empty();
    if (held.isPresent()) {
      wakeAt(held.get());
      return false;
    }
    Optional<Instant> next = termination.step(pod, view, address(), now());
    next.ifPresent(this::wakeAt);
    PodView after = view();
    if (next.isPresent() || after.anyRunning()) {
      return !after.running().equals(view.running());
    }
    view.sandboxes().forEach(one -> dependencies.runtime().stopSandbox(one.id()));
    stage = Stage.ENDED;
    return true;
  }

  private boolean finish(PodView view) {
    view.sandboxes().forEach(one -> dependencies.runtime().stopSandbox(one.id()));
    if (gone) {
      view.containers().forEach(one -> dependencies.runtime().remove(one.id()));
      view.sandboxes().forEach(one -> dependencies.runtime().removeSandbox(one.id()));
      dependencies.files().remove(pod);
      stage = Stage.FORGOTTEN;
      return false;
    }
    report();
    if (pod.beingDeleted() && dependencies.reports().settled(pod)) {
      if (!removalAsked) {
        removalAsked = true;
        dependencies.reports().remove(pod);
      }
      wakeAt(now().plus(dependencies.settings().retry()));
    }
    return false;
  }

  private void report() {
    reporter.report(pod, stage == Stage.ENDED || stage == Stage.FORGOTTEN);
  }

  private PodView view() {
    return observation.view(pod);
  }

  private String address() {
    return view().sandbox().flatMap(one -> one.addresses().stream().findFirst()).orElse("");
  }

  private void wakeAt(Instant moment) {
    wake = moment.isBefore(wake) ? moment : wake;
  }

  private Instant now() {
    return dependencies.clock().instant();
  }
}
