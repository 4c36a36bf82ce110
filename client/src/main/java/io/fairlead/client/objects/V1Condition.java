package io.fairlead.client.objects;

import io.fairlead.api.json.JsonTokenReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonParser;

/// One entry of `status.conditions`. Absent fields are empty.
public record V1Condition(
    String type,
    String status,
    String reason,
    String message,
    String lastTransitionTime,
    String lastHeartbeatTime) {
  /// The first of that type.
  public static Optional<V1Condition> find(List<V1Condition> conditions, String type) {
    for (V1Condition condition : conditions) {
      if (condition.type.equals(type)) {
        return Optional.of(condition);
      }
    }
    return Optional.empty();
  }

  public boolean isTrue() {
    return status.equals("True");
  }

  /// When it last changed; empty when it does not say.
  public Optional<Instant> transitionTime() {
    return V1Times.parse(lastTransitionTime);
  }

  static List<V1Condition> list(JsonParser in) {
    List<V1Condition> conditions = new ArrayList<>();
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      conditions.add(read(in));
    }
    return conditions;
  }

  private static V1Condition read(JsonParser in) {
    String type = "";
    String status = "";
    String reason = "";
    String message = "";
    String transition = "";
    String heartbeat = "";
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "type" -> type = JsonTokenReader.textOr(in, "").intern();
        case "status" -> status = JsonTokenReader.textOr(in, "").intern();
        case "reason" -> reason = JsonTokenReader.textOr(in, "").intern();
        case "message" -> message = JsonTokenReader.textOr(in, "");
        case "lastTransitionTime" -> transition = JsonTokenReader.textOr(in, "");
        case "lastHeartbeatTime" -> heartbeat = JsonTokenReader.textOr(in, "");
        default -> {}
      }
    }
    return new V1Condition(type, status, reason, message, transition, heartbeat);
  }
}
