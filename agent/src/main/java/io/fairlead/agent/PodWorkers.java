package io.fairlead.agent;

import io.fairlead.agent.discovery.ServiceView;
import io.fairlead.agent.files.NodePodFiles;
import io.fairlead.agent.lifecycle.ApiPodReporter;
import io.fairlead.agent.lifecycle.PodAdmitHandler;
import io.fairlead.agent.lifecycle.PodWorkerDependencies;
import io.fairlead.agent.log.LogRotation;
import io.fairlead.agent.manifest.MirrorPodReconciler;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.stats.ProbeCounter;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.work.SupervisedLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// All pods of this node: one worker each, by uid, and the end of sandboxes without a pod.
///
/// Workers are made by the informer's thread, those of static pods by the loop that reads their
/// files; the map is concurrent.
final class PodWorkers implements AutoCloseable, ChangeHandler<Pod> {
  private static final Logger log = LoggerFactory.getLogger(PodWorkers.class);
  static final String HOUSEKEEPING_LOOP = "pod-housekeeping";
  static final String ROTATION_LOOP = "log-rotation";
  private static final Duration AT_ONCE = Duration.ofSeconds(1);

  private final Informer<Pod> informer;
  private final Informer<ServiceView> services;
  private final PodWorkerDependencies dependencies;
  private final NodePodFiles files;
  private final ApiPodReporter reports;
  private final int most;
  private final MirrorPodReconciler mirrors;
  private final ProbeCounter probes;
  private volatile Map<ObjectKey, Pod> statics = Map.of();
  private final Map<String, PodWorker> workers = new ConcurrentHashMap<>();
  private final SupervisedLoop housekeeping =
      SupervisedLoop.of(HOUSEKEEPING_LOOP)
          .platform()
          .afterEach(Duration.ofSeconds(2))
          .build(this::endUnknownSandboxes);
  private final SupervisedLoop rotation =
      SupervisedLoop.of(ROTATION_LOOP)
          .platform()
          .afterEach(Duration.ofSeconds(10))
          .build(this::rotateLogs);

  PodWorkers(
      Informer<Pod> informer,
      Informer<ServiceView> services,
      PodWorkerDependencies dependencies,
      NodePodFiles files,
      ApiPodReporter reports,
      MirrorPodReconciler mirrors,
      ProbeCounter probes,
      int most) {
    this.informer = informer;
    this.services = services;
    this.dependencies = dependencies;
    this.files = files;
    this.reports = reports;
    this.mirrors = mirrors;
    this.probes = probes;
    this.most = most;
  }

  void start() {
    informer.onChange(this);
    services.start();
    informer.start();
    mirrors.start();
    housekeeping.start();
    rotation.start();
  }

  /// Whether the API has a status by this agent of every pod.
  boolean isSettled() {
    return informer.hasSynced()
        && workers.values().stream()
            .allMatch(worker -> worker.hasLooked() && reports.settled(worker.pod()));
  }

  /// Whether all pods of this node have been seen once.
  boolean hasSynced() {
    return informer.hasSynced();
  }

  void poke(String uid) {
    PodWorker worker = workers.get(uid);
    if (worker != null) {
      worker.poke();
    }
  }

  /// What a volume of that pod comes from has changed.
  void volumesChanged(String uid) {
    files.stale(uid);
    poke(uid);
  }

  /// These are the pods that files of the node ask for. One whose file changed is begun when the
  /// one before it has ended.
  void want(Map<ObjectKey, Pod> wanted) {
    statics = Map.copyOf(wanted);
    seeToStatics();
    mirrors.want(wanted);
  }

  private synchronized void seeToStatics() {
    Map<ObjectKey, Pod> wanted = statics;
    for (PodWorker worker : workers.values()) {
      Pod pod = worker.pod();
      Pod now = wanted.get(pod.key());
      if (pod.isStatic() && (now == null || !now.uid().equals(pod.uid()))) {
        worker.vanished(pod.grace());
      }
    }
    for (Pod pod : wanted.values()) {
      boolean taken =
          workers.values().stream()
              .map(PodWorker::pod)
              .anyMatch(one -> one.isStatic() && one.key().equals(pod.key()));
      if (!taken) {
        begin(pod);
      }
    }
  }

  @Override
  public void added(Pod pod, boolean initial) {
    if (pod.isMirror()) {
      mirrors.look();
      reports.again(pod.mirrorOf());
    } else {
      begin(pod);
    }
  }

  private void begin(Pod pod) {
    PodWorker worker = new PodWorker(pod, dependencies, this::forget);
    String phase = Json.textOr(pod.status(), "", "phase");
    boolean over = phase.equals("Succeeded") || phase.equals("Failed");
    if (!over && !known(pod.uid())) {
      List<Pod> others =
          workers.values().stream().map(PodWorker::pod).filter(PodWorkers::alive).toList();
      Optional<Map.Entry<String, String>> refusal = PodAdmitHandler.refusal(pod, others, most);
      refusal.ifPresent(
          why -> {
            worker.reject(why.getKey(), why.getValue());
            reports.event(pod, true, why.getKey(), why.getValue());
          });
    }
    workers.put(pod.uid(), worker);
    probes.begin(pod);
    worker.start();
  }

  /// A pod whose sandbox is there was taken before.
  private boolean known(String uid) {
    return dependencies.runtime().sandboxes().stream().anyMatch(one -> one.podUid().equals(uid));
  }

  private static boolean alive(Pod pod) {
    String phase = Json.textOr(pod.status(), "", "phase");
    return !phase.equals("Succeeded") && !phase.equals("Failed");
  }

  @Override
  public void updated(Pod old, Pod now) {
    if (!old.uid().equals(now.uid())) {
      deleted(old, true);
      added(now, false);
      return;
    }
    if (now.isMirror()) {
      mirrors.look();
      return;
    }
    PodWorker worker = workers.get(now.uid());
    if (worker != null) {
      worker.update(now);
      if (!changeable(old).equals(changeable(now))) {
        // After the update, on the same thread: a look in between would write what was.
        worker.execute(() -> files.stale(now.uid()));
      }
    }
  }

  /// What volumes may show of the pod itself and may change.
  private static List<JsonNode> changeable(Pod pod) {
    JsonNode metadata = pod.body().path("metadata");
    return List.of(metadata.path("labels"), metadata.path("annotations"));
  }

  @Override
  public void deleted(Pod last, boolean finalStateUnknown) {
    if (last.isMirror()) {
      mirrors.look();
      return;
    }
    PodWorker worker = workers.get(last.uid());
    if (worker != null) {
      worker.vanished(AT_ONCE);
    }
  }

  private void forget(PodWorker worker) {
    workers.remove(worker.pod().uid());
    reports.forget(worker.pod().uid());
    probes.forget(worker.pod());
    if (worker.pod().isStatic()) {
      seeToStatics();
    }
  }

  /// The pod of that name.
  ///
  /// @param uid empty for whichever has the name
  /// @throws ApiException when there is none, or no container of it
  Pod find(ObjectKey key, String uid) {
    component(key)
        .ifPresent(
            component -> {
              throw ApiException.badRequest(
                  "pod \""
                      + key.name()
                      + "\" shows the "
                      + component
                      + " inside the process of fairlead: there is no container to enter");
            });
    return workers.values().stream()
        .map(PodWorker::pod)
        .filter(one -> one.key().equals(key) && (uid.isEmpty() || one.uid().equals(uid)))
        .findFirst()
        .orElseThrow(() -> ApiException.notFound("", "pods", key.name()));
  }

  /// The component of this process that a pod shows; empty for pods that run here.
  Optional<String> component(ObjectKey key) {
    return informer.get(key).map(Pod::component).filter(name -> !name.isEmpty());
  }

  /// All pods as they were seen last.
  List<Pod> all() {
    return workers.values().stream().map(PodWorker::pod).toList();
  }

  /// Where a container's log lies, and whether more may come.
  ///
  /// @param running asks whether the run still goes on
  record LogLocation(Path file, BooleanSupplier running) {
    boolean open() {
      return running.getAsBoolean();
    }
  }

  /// @throws ApiException when there is none
  LogLocation log(ObjectKey key, String container, boolean previous) {
    Pod pod = find(key, "");
    List<ContainerInfo> runs =
        dependencies.runtime().containers().stream()
            .filter(one -> one.podUid().equals(pod.uid()) && one.name().equals(container))
            .sorted(Comparator.comparingInt(ContainerInfo::attempt).reversed())
            .toList();
    String words = "container \"" + container + "\" in pod \"" + key.name() + "\"";
    if (previous && runs.size() < 2) {
      throw ApiException.badRequest("previous terminated " + words + " not found");
    }
    if (runs.isEmpty()) {
      throw ApiException.badRequest(
          words + " is waiting to start: " + waitingReason(pod, container));
    }
    ContainerInfo run = runs.get(previous ? 1 : 0);
    return new LogLocation(
        files.log(pod, container, run.attempt()),
        () ->
            dependencies.runtime().containers().stream()
                .anyMatch(one -> one.id().equals(run.id()) && one.running()));
  }

  private static final List<String> STATUS_LISTS =
      List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses");

  /// Why a container has no log yet, as kubelets put it.
  static String waitingReason(Pod pod, String container) {
    for (String list : STATUS_LISTS) {
      for (JsonNode status : pod.status().path(list)) {
        if (Json.textOr(status, "", "name").equals(container)) {
          return switch (Json.textOr(status, "", "state", "waiting", "reason")) {
            case "" -> "ContainerCreating";
            case "ErrImagePull" -> "image can't be pulled";
            case "ImagePullBackOff" -> "trying and failing to pull image";
            case String other -> other;
          };
        }
      }
    }
    return "ContainerCreating";
  }

  /// Ends sandboxes of pods without a worker: their objects went while no agent ran here.
  private void endUnknownSandboxes() {
    if (!informer.hasSynced()) {
      return;
    }
    for (SandboxInfo sandbox : dependencies.runtime().sandboxes()) {
      if (!workers.containsKey(sandbox.podUid())) {
        end(sandbox);
      }
    }
  }

  /// Puts logs aside that have grown too long.
  private void rotateLogs() {
    for (ContainerInfo run : dependencies.runtime().containers()) {
      PodWorker worker = workers.get(run.podUid());
      if (worker == null || !run.running()) {
        continue;
      }
      Path file = files.log(worker.pod(), run.name(), run.attempt());
      try {
        LogRotation.STANDARD.rotate(
            file, dependencies.clock().instant(), () -> dependencies.runtime().reopenLog(run.id()));
      } catch (IOException | RuntimeException e) {
        log.atWarn().addKeyValue("file", file).setCause(e).log("log not put aside, trying again");
      }
    }
  }

  private void end(SandboxInfo sandbox) {
    List<ContainerInfo> inside =
        dependencies.runtime().containers().stream()
            .filter(one -> one.sandbox().equals(sandbox.id()))
            .toList();
    for (ContainerInfo container : inside) {
      if (container.running()) {
        dependencies
            .runtime()
            .stop(container.id(), Duration.ofSeconds(Math.max(2, sandbox.graceSeconds())));
      } else {
        dependencies.runtime().remove(container.id());
      }
    }
    if (inside.stream().noneMatch(ContainerInfo::running)) {
      log.atInfo().addKeyValue("pod", sandbox.pod()).log("sandbox of an unknown pod removed");
      dependencies.runtime().removeSandbox(sandbox.id());
    }
  }

  @Override
  public void close() {
    housekeeping.close();
    rotation.close();
    mirrors.close();
    informer.close();
    services.close();
    workers.values().forEach(PodWorker::close);
    reports.close();
  }
}
