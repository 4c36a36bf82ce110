package io.fairlead.client.objects;

import io.fairlead.api.json.JsonTokenReader;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/// The status of one container while it is read.
final class ContainerStatusDraft {
  String name = "";
  boolean ready;
  boolean started;
  int restartCount;
  private String state = "";
  private String reason = "";
  private String message = "";
  private String finishedAt = "";
  private @Nullable Integer exitCode;

  /// Reads `state`, which has one member by its name.
  void readState(JsonParser in) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "waiting", "running", "terminated" -> {
          if (JsonTokenReader.isObject(in)) {
            state = it.intern();
            readMembers(in);
          }
        }
        default -> {}
      }
    }
  }

  private void readMembers(JsonParser in) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "reason" -> reason = JsonTokenReader.textOr(in, "").intern();
        case "message" -> message = JsonTokenReader.textOr(in, "");
        case "finishedAt" -> finishedAt = JsonTokenReader.textOr(in, "");
        case "exitCode" -> exitCode = JsonTokenReader.integerOrNull(in);
        default -> {}
      }
    }
  }

  V1Pod.ContainerStatus status() {
    return new V1Pod.ContainerStatus(
        name, ready, started, restartCount, state, reason, message, exitCode, finishedAt);
  }
}
