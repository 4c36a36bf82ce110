package io.fairlead.agent.stats;

import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerUsage;
import io.fairlead.api.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What a node and its pods use at one moment, as one document.
final class Summary {
  private final Instant now;
  private final Map<String, ContainerUsage> used;
  private final ObjectNode document = Json.object();
  private final ArrayNode pods;

  /// @param started since when the agent runs
  /// @param used what containers use, by identity
  Summary(
      String node,
      NodeUsage machine,
      Instant started,
      Instant now,
      Map<String, ContainerUsage> used) {
    this.now = now;
    this.used = used;
    ObjectNode whole = document.putObject("node").put("nodeName", node);
    whole.put("startTime", time(started));
    cpu(whole, machine.cpu().toNanos());
    whole
        .putObject("memory")
        .put("time", time(now))
        .put("availableBytes", machine.available())
        .put("usageBytes", machine.total() - machine.available())
        .put("workingSetBytes", machine.memory());
    this.pods = document.putArray("pods");
  }

  ObjectNode document() {
    return document;
  }

  /// @param running at least one run
  void add(Pod pod, List<ContainerInfo> running) {
    ObjectNode one = pods.addObject();
    one.putObject("podRef")
        .put("name", pod.name())
        .put("namespace", pod.namespace())
        .put("uid", pod.uid());
    ArrayNode containers = one.putArray("containers");
    Instant first = now;
    for (ContainerInfo run : running) {
      first = run.startedAt().isBefore(first) ? run.startedAt() : first;
      containers.add(container(run));
    }
    one.put("startTime", time(first));
    List<ContainerUsage> known =
        running.stream().flatMap(run -> Stream.ofNullable(used.get(run.id()))).toList();
    if (!known.isEmpty()) {
      cpu(one, known.stream().mapToLong(usage -> usage.cpu().toNanos()).sum());
      memory(one, known.stream().mapToLong(ContainerUsage::memory).sum());
    }
  }

  private ObjectNode container(ContainerInfo run) {
    ObjectNode part = Json.object().put("name", run.name()).put("startTime", time(run.startedAt()));
    ContainerUsage usage = used.get(run.id());
    if (usage != null) {
      cpu(part, usage.cpu().toNanos());
      memory(part, usage.memory());
    }
    return part;
  }

  private void cpu(ObjectNode into, long nanos) {
    into.putObject("cpu").put("time", time(now)).put("usageCoreNanoSeconds", nanos);
  }

  private void memory(ObjectNode into, long bytes) {
    into.putObject("memory").put("time", time(now)).put("workingSetBytes", bytes);
  }

  private static String time(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
