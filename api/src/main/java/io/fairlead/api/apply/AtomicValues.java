package io.fairlead.api.apply;

import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Finds the lists, maps and structs of a configuration that are owned whole.
final class AtomicValues {
  private final List<String> paths = new ArrayList<>();

  private AtomicValues() {}

  /// Their paths, `.spec.containers[0].args`.
  static List<String> in(ObjectNode object, StructType type) {
    AtomicValues found = new AtomicValues();
    found.members(object, Shape.of(type), "");
    return found.paths;
  }

  private void value(JsonNode value, Shape shape, String path) {
    switch (shape.kind()) {
      case LEAF -> {
        if (!(shape.type() instanceof Type.Scalar)) {
          paths.add(path);
        }
      }
      case STRUCT, MAP -> members(value, shape, path);
      case KEYED -> {
        int index = 0;
        for (JsonNode item : value) {
          value(item, shape.item(), path + "[" + index++ + "]");
        }
      }
      case SET -> {}
    }
  }

  private void members(JsonNode object, Shape shape, String path) {
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      Shape inner = shape.member(member.getKey());
      if (inner != null) {
        value(member.getValue(), inner, path + "." + member.getKey());
      }
    }
  }
}
