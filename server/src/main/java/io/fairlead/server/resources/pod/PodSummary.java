package io.fairlead.server.resources.pod;

import io.fairlead.server.resources.table.Age;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What the many fields of a pod's status come down to: one word, some counts.
///
/// @param status the Status column, such as `Running`, `Init:0/2`, `CrashLoopBackOff`
/// @param lastRestart when a container last ended before it was started again
record PodSummary(
    String status, int ready, int containers, int restarts, @Nullable Instant lastRestart) {

  static PodSummary of(JsonNode pod) {
    return new Reading(pod).summary();
  }

  static boolean isTrue(JsonNode status, String conditionType) {
    for (JsonNode condition : status.path("conditions")) {
      if (condition.path("type").asString("").equals(conditionType)) {
        return condition.path("status").asString("").equals("True");
      }
    }
    return false;
  }

  /// The counts while the containers are walked through.
  private static final class Reading {
    private final JsonNode pod;
    private final JsonNode podStatus;
    private final Set<String> sidecars = new HashSet<>();
    private String reason;
    private int ready;
    private int restarts;
    private int sidecarRestarts;
    private @Nullable Instant lastRestart;
    private @Nullable Instant lastSidecarRestart;

    Reading(JsonNode pod) {
      this.pod = pod;
      podStatus = pod.path("status");
      reason = podStatus.path("reason").asString(podStatus.path("phase").asString(""));
      for (JsonNode container : pod.path("spec").path("initContainers")) {
        if (container.path("restartPolicy").asString("").equals("Always")) {
          sidecars.add(container.path("name").asString(""));
        }
      }
      for (JsonNode condition : podStatus.path("conditions")) {
        if (condition.path("type").asString("").equals("PodScheduled")
            && condition.path("reason").asString("").equals("SchedulingGated")) {
          reason = "SchedulingGated";
        }
      }
    }

    PodSummary summary() {
      boolean initializing = readInitContainers();
      if (!initializing || isTrue(podStatus, "Initialized")) {
        restarts = sidecarRestarts;
        lastRestart = lastSidecarRestart;
        readContainers();
      }
      if (pod.path("metadata").has("deletionTimestamp")) {
        if (podStatus.path("reason").asString("").equals("NodeLost")) {
          reason = "Unknown";
        } else if (!isTerminal()) {
          reason = "Terminating";
        }
      }
      int containers = pod.path("spec").path("containers").size() + sidecars.size();
      return new PodSummary(reason, ready, containers, restarts, lastRestart);
    }

    /// Whether an init container is still at work or has failed.
    private boolean readInitContainers() {
      int index = 0;
      for (JsonNode container : podStatus.path("initContainerStatuses")) {
        boolean sidecar = sidecars.contains(container.path("name").asString(""));
        restarts += container.path("restartCount").asInt(0);
        lastRestart = later(lastRestart, container);
        if (sidecar) {
          sidecarRestarts += container.path("restartCount").asInt(0);
          lastSidecarRestart = later(lastSidecarRestart, container);
        }
        JsonNode terminated = container.path("state").path("terminated");
        if (sidecar && container.path("started").asBoolean(false)) {
          ready += container.path("ready").asBoolean(false) ? 1 : 0;
        } else if (!terminated.isObject() || terminated.path("exitCode").asInt(0) != 0) {
          reason = initReason(container, index);
          return true;
        }
        index++;
      }
      return false;
    }

    private String initReason(JsonNode container, int index) {
      JsonNode terminated = container.path("state").path("terminated");
      if (terminated.isObject()) {
        return "Init:" + ending(terminated);
      }
      String waiting = container.path("state").path("waiting").path("reason").asString("");
      return waiting.isEmpty() || waiting.equals("PodInitializing")
          ? "Init:" + index + "/" + pod.path("spec").path("initContainers").size()
          : "Init:" + waiting;
    }

    private void readContainers() {
      boolean running = false;
      JsonNode statuses = podStatus.path("containerStatuses");
      for (int index = statuses.size() - 1; index >= 0; index--) {
        JsonNode container = statuses.path(index);
        restarts += container.path("restartCount").asInt(0);
        lastRestart = later(lastRestart, container);
        JsonNode state = container.path("state");
        String waiting = state.path("waiting").path("reason").asString("");
        if (!waiting.isEmpty()) {
          reason = waiting;
        } else if (state.path("terminated").isObject()) {
          reason = ending(state.path("terminated"));
        } else if (container.path("ready").asBoolean(false) && state.path("running").isObject()) {
          running = true;
          ready++;
        }
      }
      if (reason.equals("Completed") && running) {
        reason = isTrue(podStatus, "Ready") ? "Running" : "NotReady";
      }
    }

    private boolean isTerminal() {
      String phase = podStatus.path("phase").asString("");
      return phase.equals("Succeeded") || phase.equals("Failed");
    }

    private static String ending(JsonNode terminated) {
      String reason = terminated.path("reason").asString("");
      if (!reason.isEmpty()) {
        return reason;
      }
      int signal = terminated.path("signal").asInt(0);
      return signal != 0 ? "Signal:" + signal : "ExitCode:" + terminated.path("exitCode").asInt(0);
    }

    private static @Nullable Instant later(@Nullable Instant known, JsonNode container) {
      Instant ended =
          Age.instant(container.path("lastState").path("terminated").path("finishedAt"));
      return ended != null && (known == null || ended.isAfter(known)) ? ended : known;
    }
  }
}
