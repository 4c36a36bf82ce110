package io.fairlead.agent;

import io.fairlead.agent.api.NodePods;
import io.fairlead.agent.files.GivenVariables;
import io.fairlead.agent.log.ContainerLog;
import io.fairlead.agent.log.LogAttachment;
import io.fairlead.agent.log.LogOptions;
import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ObjectKey;
import io.fairlead.work.Pacer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The pods of this node as its server shows them.
///
/// @param componentLogs the directory with the logs of the components that pods show
/// @param directory where each pod has a directory of its own
record ServedPods(
    PodWorkers pods,
    ContainerRuntime runtime,
    Pacer pacer,
    Optional<Path> componentLogs,
    Path directory)
    implements NodePods {
  @Override
  public List<ObjectNode> all() {
    return pods.all().stream().map(Pod::body).toList();
  }

  @Override
  public List<ObjectNode> running() {
    Set<String> uids =
        runtime.containers().stream()
            .filter(ContainerInfo::running)
            .map(ContainerInfo::podUid)
            .collect(Collectors.toSet());
    return pods.all().stream().filter(pod -> uids.contains(pod.uid())).map(Pod::body).toList();
  }

  @Override
  public void log(
      ObjectKey pod, String container, boolean previous, LogOptions wanted, OutputStream out)
      throws IOException, InterruptedException {
    Optional<String> component = pods.component(pod);
    if (component.isPresent()) {
      copyComponentLog(component.get(), pod, previous, wanted, out);
      return;
    }
    PodWorkers.LogLocation place = pods.log(pod, container, previous);
    ContainerLog.copy(place.file(), wanted, place::open, pacer, out);
  }

  /// It has one log for all its runs, which ends with the process.
  private void copyComponentLog(
      String component, ObjectKey pod, boolean previous, LogOptions wanted, OutputStream out)
      throws IOException, InterruptedException {
    if (previous) {
      throw ApiException.badRequest(
          "previous terminated container in pod \"" + pod.name() + "\" not found");
    }
    Path directory =
        componentLogs.orElseThrow(
            () -> ApiException.badRequest("the " + component + " keeps no log of its own"));
    // Of a fixed set, but a label is what a client wrote.
    if (!component.matches("[a-z-]+")) {
      throw ApiException.badRequest("no component is called \"" + component + "\"");
    }
    ContainerLog.copy(directory.resolve(component + ".log"), wanted, () -> true, pacer, out);
  }

  @Override
  public String running(ObjectKey key, String uid, String container) {
    Pod pod = pods.find(key, uid);
    return runtime.containers().stream()
        .filter(
            one -> one.podUid().equals(pod.uid()) && one.name().equals(container) && one.running())
        .max(Comparator.comparingInt(ContainerInfo::attempt))
        .map(ContainerInfo::id)
        .orElseThrow(() -> ApiException.badRequest("container not found (\"" + container + "\")"));
  }

  @Override
  public AttachedProcess exec(
      String containerId, List<String> command, boolean input, boolean terminal) {
    return runtime.open(containerId, command, input, terminal);
  }

  @Override
  public AttachedProcess attach(ObjectKey key, String container, boolean input) {
    JsonNode spec =
        pods.find(key, "")
            .everyContainer()
            .filter(one -> one.name().equals(container))
            .findFirst()
            .<JsonNode>map(Container::body)
            .orElseGet(Json::object);
    return runtime
        .attach(
            running(key, "", container),
            input && spec.path("stdin").asBoolean(false),
            spec.path("tty").asBoolean(false))
        .orElseGet(
            () -> {
              PodWorkers.LogLocation place = pods.log(key, container, false);
              // One that has a single visitor may have ended before they came.
              boolean whole = spec.path("stdinOnce").asBoolean(false);
              return LogAttachment.start(place.file(), whole, place::open, pacer);
            });
  }

  @Override
  public String sandbox(ObjectKey key, String uid) {
    Pod pod = pods.find(key, uid);
    return runtime.sandboxes().stream()
        .filter(one -> one.podUid().equals(pod.uid()) && one.ready())
        .max(Comparator.comparingInt(SandboxInfo::attempt))
        .map(SandboxInfo::id)
        .orElseThrow(() -> ApiException.badRequest("pod \"" + key.name() + "\" is not running"));
  }

  @Override
  public PodPlace place(String uid) {
    Pod pod =
        pods.all().stream()
            .filter(one -> one.uid().equals(uid))
            .findFirst()
            .orElseThrow(() -> ApiException.notFound("", "pods", uid));
    String sandbox = sandbox(pod.key(), uid);
    try {
      return new PodPlace(pod.key(), uid, runtime.networkNamespace(sandbox));
    } catch (IOException e) {
      throw ApiException.internal(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public ArrayNode serviceVariables(String uid) {
    // The identity is part of a path: only that of a pod that is here.
    return pods.all().stream()
        .filter(one -> one.uid().equals(uid))
        .findFirst()
        .map(pod -> GivenVariables.read(directory.resolve(pod.uid())))
        .orElseThrow(() -> ApiException.notFound("", "pods", uid));
  }

  @Override
  public Socket dial(String sandbox, int port) throws IOException {
    return runtime.dial(sandbox, port);
  }
}
