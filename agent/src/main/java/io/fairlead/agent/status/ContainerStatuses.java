package io.fairlead.agent.status;

import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.api.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The status of one container in the words of the API.
final class ContainerStatuses {
  private ContainerStatuses() {}

  /// @param standard the reason of one that nothing is known of
  /// @param shown makes of an identity the one that the API shows
  /// @param tornDown nothing will be started any more
  /// @param before the container's status as it was; its count stands while the next run has not
  ///   begun
  static ObjectNode of(
      ContainerView view,
      String standard,
      UnaryOperator<String> shown,
      boolean tornDown,
      JsonNode before) {
    ObjectNode node = Json.object().put("name", view.spec().name());
    ObjectNode state = node.putObject("state");
    ObjectNode last = node.putObject("lastState");
    ContainerInfo latest = view.latest().orElse(null);
    if (latest != null && latest.running()) {
      state.putObject("running").put("startedAt", time(latest.startedAt()));
      view.previous().ifPresent(info -> terminated(last, info, shown));
    } else if (latest != null && latest.exited() && (view.waiting().isEmpty() || tornDown)) {
      terminated(state, latest, shown);
      view.previous().ifPresent(info -> terminated(last, info, shown));
    } else if (tornDown) {
      state
          .putObject("terminated")
          .put("exitCode", 137)
          .put("reason", "ContainerStatusUnknown")
          .put("message", "The container could not be located when the pod was terminated")
          .putNull("startedAt")
          .putNull("finishedAt");
    } else {
      ContainerStateWaiting waiting =
          view.waiting().orElse(new ContainerStateWaiting(standard, ""));
      ObjectNode words = state.putObject("waiting").put("reason", waiting.reason());
      if (!waiting.message().isEmpty()) {
        words.put("message", waiting.message());
      }
      if (latest != null && latest.exited()) {
        terminated(last, latest, shown);
      } else {
        view.previous().ifPresent(info -> terminated(last, info, shown));
      }
    }
    node.put("ready", view.ready());
    node.put(
        "restartCount", latest == null ? before.path("restartCount").asInt(0) : latest.attempt());
    node.put("image", latest == null ? view.spec().image() : latest.image());
    node.put("imageID", latest == null ? "" : latest.imageId());
    if (latest != null) {
      node.put("containerID", shown.apply(latest.id()));
    }
    node.put("started", view.started());
    resources(node, view.resources());
    Json.dropNulls(node);
    return node;
  }

  private static void resources(ObjectNode node, JsonNode given) {
    ObjectNode resources = node.putObject("resources");
    for (String list : List.of("limits", "requests")) {
      if (!given.path(list).isEmpty()) {
        resources.set(list, given.path(list).deepCopy());
      }
    }
    if (resources.has("requests")) {
      node.set("allocatedResources", resources.path("requests").deepCopy());
    }
  }

  private static void terminated(ObjectNode into, ContainerInfo info, UnaryOperator<String> shown) {
    if (!info.exited()) {
      return;
    }
    ObjectNode node =
        into.putObject("terminated").put("exitCode", info.exitCode()).put("reason", info.reason());
    if (!info.message().isEmpty()) {
      node.put("message", info.message());
    }
    node.put("startedAt", time(info.startedAt()));
    node.put("finishedAt", time(info.finishedAt()));
    node.put("containerID", shown.apply(info.id()));
  }

  private static String time(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
