package io.fairlead.agent;

import io.fairlead.agent.api.NodePods;
import io.fairlead.agent.log.ContainerLog;
import io.fairlead.agent.log.LogAttachment;
import io.fairlead.agent.log.LogOptions;
import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.Attached;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.time.Pacer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The pods of this node as its server shows them.
record PodDoor(Pods pods, ContainerRuntime runtime, Pacer pacer) implements NodePods {
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
    Pods.LogPlace place = pods.log(pod, container, previous);
    ContainerLog.copy(place.file(), wanted, place::open, pacer, out);
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
  public Attached exec(String containerId, List<String> command, boolean input, boolean terminal) {
    return runtime.open(containerId, command, input, terminal);
  }

  @Override
  public Attached attach(ObjectKey key, String container, boolean input) {
    JsonNode spec =
        pods.find(key, "")
            .allContainers()
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
              Pods.LogPlace place = pods.log(key, container, false);
              return LogAttachment.start(place.file(), place::open, pacer);
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
  public Socket dial(String sandbox, int port) throws IOException {
    return runtime.dial(sandbox, port);
  }
}
