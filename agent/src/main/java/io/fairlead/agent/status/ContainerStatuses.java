package io.fairlead.agent.status;

import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.api.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.node.ObjectNode;

/// The status of one container in the words of the API.
final class ContainerStatuses {
  private ContainerStatuses() {}

  /// @param standard the reason of one that nothing is known of
  /// @param scheme of the runtime, in front of identities
  /// @param tornDown nothing will be started any more
  static ObjectNode of(ContainerView view, String standard, String scheme, boolean tornDown) {
    ObjectNode node = Json.object().put("name", view.spec().name());
    ObjectNode state = node.putObject("state");
    ObjectNode last = node.putObject("lastState");
    ContainerInfo latest = view.latest().orElse(null);
    if (latest != null && latest.running()) {
      state.putObject("running").put("startedAt", time(latest.startedAt()));
      view.previous().ifPresent(info -> terminated(last, info, scheme));
    } else if (latest != null && latest.exited() && (view.waiting().isEmpty() || tornDown)) {
      terminated(state, latest, scheme);
      view.previous().ifPresent(info -> terminated(last, info, scheme));
    } else if (tornDown) {
      state
          .putObject("terminated")
          .put("exitCode", 137)
          .put("reason", "ContainerStatusUnknown")
          .put("message", "The container could not be located when the pod was terminated")
          .putNull("startedAt")
          .putNull("finishedAt");
    } else {
      Waiting waiting = view.waiting().orElse(new Waiting(standard, ""));
      ObjectNode words = state.putObject("waiting").put("reason", waiting.reason());
      if (!waiting.message().isEmpty()) {
        words.put("message", waiting.message());
      }
      if (latest != null && latest.exited()) {
        terminated(last, latest, scheme);
      } else {
        view.previous().ifPresent(info -> terminated(last, info, scheme));
      }
    }
    node.put("ready", view.ready());
    node.put("restartCount", latest == null ? 0 : latest.attempt());
    node.put("image", latest == null ? view.spec().image() : latest.image());
    node.put("imageID", latest == null ? "" : latest.imageId());
    if (latest != null) {
      node.put("containerID", scheme + latest.id());
    }
    node.put("started", view.started());
    Json.dropNulls(node);
    return node;
  }

  private static void terminated(ObjectNode into, ContainerInfo info, String scheme) {
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
    node.put("containerID", scheme + info.id());
  }

  private static String time(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
