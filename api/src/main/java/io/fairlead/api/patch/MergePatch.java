package io.fairlead.api.patch;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON merge patch (RFC 7386): objects merge member by member, null removes, everything else
/// replaces. Lists are replaced whole.
public final class MergePatch {
  private MergePatch() {}

  /// The patched object. Neither argument is changed.
  public static ObjectNode apply(ObjectNode current, ObjectNode patch) {
    ObjectNode result = current.deepCopy();
    mergeInto(result, patch);
    return result;
  }

  /// Any two values, as the RFC defines it.
  static JsonNode applyAny(JsonNode current, JsonNode patch) {
    if (!(patch instanceof ObjectNode members)) {
      return patch.deepCopy();
    }
    ObjectNode result =
        current instanceof ObjectNode object ? object.deepCopy() : members.objectNode();
    mergeInto(result, members);
    return result;
  }

  private static void mergeInto(ObjectNode target, ObjectNode patch) {
    for (Map.Entry<String, JsonNode> member : patch.properties()) {
      String key = member.getKey();
      JsonNode value = member.getValue();
      if (value.isNull()) {
        target.remove(key);
      } else if (value instanceof ObjectNode inner) {
        // Also into nothing: nulls inside the patch must not reach the result.
        ObjectNode into = target.get(key) instanceof ObjectNode found ? found : null;
        mergeInto(into == null ? target.putObject(key) : into, inner);
      } else {
        target.set(key, value.deepCopy());
      }
    }
  }
}
