package io.fairlead.policy.runtime;

import io.fairlead.client.ObjectKey;
import io.fairlead.policy.core.PolicyPod;
import java.util.List;
import java.util.stream.Collectors;

/// Connections of one pod that a sweep has ended.
///
/// @param pod whose policies deny them
/// @param policies those that isolate it
/// @param example one of them, such as `y/b -> x/a:5432/TCP`
/// @param count how many they are
record CutConnections(PolicyPod pod, List<ObjectKey> policies, String example, int count) {
  CutConnections {
    policies = List.copyOf(policies);
  }

  CutConnections oneMore() {
    return new CutConnections(pod, policies, example, count + 1);
  }

  /// For an Event.
  String message() {
    String came =
        policies.isEmpty()
            ? "its other end became unknown"
            : policies.stream().map(ObjectKey::toString).collect(Collectors.joining(", "))
                + " came";
    return "FL165 ended: %s was open when %s%s"
        .formatted(example, came, count == 1 ? "" : "; %d connections in all".formatted(count));
  }
}
