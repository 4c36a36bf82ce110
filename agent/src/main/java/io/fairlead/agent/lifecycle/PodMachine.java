package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.pod.Probe;
import io.fairlead.agent.pod.RestartPolicy;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.status.ContainerView;
import io.fairlead.agent.status.PodView;
import io.fairlead.agent.status.Waiting;
import io.fairlead.api.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executor;
import tools.jackson.databind.node.ObjectNode;

/// One pod from its first sight to its end.
///
/// How it works: `step` looks at what the runtime has, does what is missing, tells the API, and
/// says when it wants to be called again at the latest. It can be called any time and as often as
/// one likes. Nothing it must know survives only here: an agent that starts anew finds out from the
/// runtime and the API. A pod goes through four stages and never back: it is kept running, it is
/// being ended, it has ended, it is forgotten.
///
/// Not safe for threads: one owner calls everything, and what comes back later comes through the
/// owner's executor.
public final class PodMachine {
  /// How far a pod is on its way.
  public enum Stage {
    RUNNING,
    ENDING,
    ENDED,
    FORGOTTEN
  }

  private static final int MOST_ROUNDS = 30;

  private final Surroundings surroundings;
  private final Starter starter;
  private final ProbeSet probes;
  private final Ending ending;
  private final Hold hold;
  private final EndMessages messages;
  private final Sight sight;
  private final StatusTeller teller;
  private final Executor owner;
  private Stage stage = Stage.RUNNING;
  private Pod pod;
  private boolean gone;
  private boolean adopted;
  private boolean removalAsked;
  private Instant wake = Instant.MAX;

  /// @param owner runs what comes back later, on the thread that calls the rest
  public PodMachine(Pod pod, Surroundings surroundings, Executor owner) {
    this.pod = pod;
    this.surroundings = surroundings;
    this.owner = owner;
    this.starter = new Starter(surroundings);
    this.ending = new Ending(surroundings, owner);
    this.hold = new Hold(surroundings, owner);
    this.messages = new EndMessages(surroundings.files());
    this.probes = new ProbeSet(surroundings, owner, this::ill);
    this.sight = new Sight(surroundings, starter, probes, messages);
    String phase = Json.textOr(pod.status(), "", "phase");
    boolean over = phase.equals("Succeeded") || phase.equals("Failed");
    this.teller = new StatusTeller(surroundings, sight, over);
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

  /// The status as it was told last.
  public Optional<ObjectNode> told() {
    return teller.told();
  }

  /// The pod has changed in the API.
  public void update(Pod newer) {
    pod = newer;
    if (stage == Stage.ENDING && newer.deletionGrace().isPresent()) {
      ending.shorten(newer.deletionGrace().get(), now());
      hold.shorten(newer.deletionGrace().get(), now());
    }
  }

  /// The pod is no longer in the API.
  ///
  /// @param grace what its containers still get
  public void vanished(Duration grace) {
    gone = true;
    hold.drop();
    if (stage == Stage.ENDING) {
      ending.shorten(grace, now());
    } else if (stage == Stage.RUNNING) {
      stage = Stage.ENDING;
      ending.begin(grace, now());
    }
  }

  /// This node does not take the pod.
  public void reject(String reason, String message) {
    teller.reject(new Waiting(reason, message));
    stage = Stage.ENDED;
  }

  /// Does what is due.
  ///
  /// @return when to call again at the latest
  public Instant step() {
    wake = now().plus(surroundings.settings().resync());
    if (!adopted) {
      adopted = true;
      probes.adopt(pod, view(), surroundings.statuses().shown(), now());
    }
    int rounds = 0;
    while (round() && rounds < MOST_ROUNDS) {
      rounds++;
    }
    return wake;
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
      tell();
    }
    return acted;
  }

  private boolean sync(PodView view) {
    List<ContainerView> initial = sight.views(pod, pod.initContainers(), view, view::latest);
    List<ContainerView> regular = sight.views(pod, pod.containers(), view, view::latest);
    if (pod.beingDeleted() || StartPlan.finished(pod, initial, regular)) {
      tell();
      stage = Stage.ENDING;
      ending.begin(pod.deletionGrace().orElse(pod.grace()), now());
      if (view.anyRunning()) {
        pod.deletionGrace().ifPresent(grace -> hold.begin(pod, grace, now()));
      }
      return true;
    }
    Optional<String> network = surroundings.runtime().networkProblem();
    if (network.isPresent() && !pod.hostNetwork()) {
      surroundings
          .reports()
          .event(pod, true, "NetworkNotReady", "network is not ready: " + network.get());
      wakeAt(now().plusSeconds(1));
      return false;
    }
    try {
      surroundings.files().prepare(pod);
    } catch (RuntimeFailure e) {
      surroundings.reports().event(pod, true, "FailedMount", e.text());
      wakeAt(now().plus(surroundings.settings().retry()));
      return false;
    }
    ending.pursue(view, now()).ifPresent(this::wakeAt);
    return sandbox(view) || (view.sandbox().isPresent() && containers(view));
  }

  /// Sees to the sandbox. True when something was done.
  private boolean sandbox(PodView view) {
    if (view.sandbox().isPresent()) {
      return false;
    }
    boolean ran = !view.containers().isEmpty();
    for (SandboxInfo dead : view.sandboxes()) {
      surroundings.runtime().stopSandbox(dead.id());
    }
    if (ran && pod.restartPolicy() == RestartPolicy.NEVER) {
      stage = Stage.ENDING;
      ending.begin(pod.grace(), now());
      return true;
    }
    int attempt = view.sandboxes().isEmpty() ? 0 : view.sandboxes().getFirst().attempt() + 1;
    if (attempt > 0) {
      surroundings
          .reports()
          .event(
              pod,
              false,
              "SandboxChanged",
              "Pod sandbox changed, it will be killed and re-created.");
    }
    try {
      surroundings.runtime().runSandbox(surroundings.files().sandbox(pod, attempt));
      view.sandboxes().forEach(dead -> surroundings.runtime().removeSandbox(dead.id()));
      return true;
    } catch (RuntimeFailure e) {
      surroundings
          .reports()
          .event(pod, true, "FailedCreatePodSandBox", "Failed to create pod sandbox: " + e.text());
      wakeAt(now().plus(surroundings.settings().retry()));
      return false;
    }
  }

  private boolean containers(PodView view) {
    SandboxInfo sandbox = view.sandbox().orElseThrow();
    StartPlan plan =
        StartPlan.of(
            pod,
            sight.views(pod, pod.initContainers(), view, view::current),
            sight.views(pod, pod.containers(), view, view::current));
    for (Container container : plan.replace()) {
      view.current(container.name())
          .ifPresent(
              run ->
                  kill(
                      container,
                      run,
                      "Container " + container.name() + " definition changed, will be restarted",
                      pod.grace()));
    }
    boolean acted = false;
    for (Container container : plan.start()) {
      Starter.Attempt attempt = starter.start(pod, container, sandbox, view, now());
      attempt.again().ifPresent(this::wakeAt);
      if (attempt.started().isPresent()) {
        acted = true;
        postStart(container, attempt.started().get(), sandbox);
        forgetOldRuns(container.name());
      }
    }
    return acted;
  }

  private void postStart(Container container, String id, SandboxInfo sandbox) {
    container
        .postStart()
        .ifPresent(
            action ->
                surroundings
                    .errands()
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
    surroundings.reports().event(pod, true, "FailedPostStartHook", "PostStartHook failed: " + why);
    starter.waitFor(container.name(), new Waiting("PostStartHookError", why));
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
              surroundings.runtime().remove(run.id());
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
    ending.kill(pod, container, run, address(), message, grace, now());
    ending.pursue(view(), now()).ifPresent(this::wakeAt);
  }

  private boolean end(PodView view) {
    Optional<Instant> held = view.anyRunning() ? hold.until(pod, now()) : Optional.empty();
    if (held.isPresent()) {
      wakeAt(held.get());
      return false;
    }
    Optional<Instant> next = ending.step(pod, view, address(), now());
    next.ifPresent(this::wakeAt);
    PodView after = view();
    if (next.isPresent() || after.anyRunning()) {
      return !after.running().equals(view.running());
    }
    view.sandboxes().forEach(one -> surroundings.runtime().stopSandbox(one.id()));
    stage = Stage.ENDED;
    return true;
  }

  private boolean finish(PodView view) {
    view.sandboxes().forEach(one -> surroundings.runtime().stopSandbox(one.id()));
    if (gone) {
      view.containers().forEach(one -> surroundings.runtime().remove(one.id()));
      view.sandboxes().forEach(one -> surroundings.runtime().removeSandbox(one.id()));
      surroundings.files().remove(pod);
      stage = Stage.FORGOTTEN;
      return false;
    }
    tell();
    if (pod.beingDeleted() && surroundings.reports().settled(pod)) {
      if (!removalAsked) {
        removalAsked = true;
        surroundings.reports().remove(pod);
      }
      wakeAt(now().plus(surroundings.settings().retry()));
    }
    return false;
  }

  private void tell() {
    teller.tell(pod, stage == Stage.ENDED || stage == Stage.FORGOTTEN);
  }

  private PodView view() {
    return sight.view(pod);
  }

  private String address() {
    return view().sandbox().flatMap(one -> one.addresses().stream().findFirst()).orElse("");
  }

  private void wakeAt(Instant moment) {
    wake = moment.isBefore(wake) ? moment : wake;
  }

  private Instant now() {
    return surroundings.clock().instant();
  }
}
