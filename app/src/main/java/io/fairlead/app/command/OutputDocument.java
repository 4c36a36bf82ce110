package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What `-o json` and `-o yaml` print: an object with `apiVersion` and `kind`, stable within a
/// major version.
final class OutputDocument {
  private final ObjectNode root = Json.object();

  OutputDocument(String kind) {
    root.put("apiVersion", "cli.fairlead.dev/v1");
    root.put("kind", kind);
  }

  OutputDocument put(String name, String value) {
    root.put(name, value);
    return this;
  }

  OutputDocument put(String name, long value) {
    root.put(name, value);
    return this;
  }

  OutputDocument put(String name, boolean value) {
    root.put(name, value);
    return this;
  }

  OutputDocument put(String name, JsonNode value) {
    root.set(name, value);
    return this;
  }

  String render(String format) {
    return switch (format) {
      case "json" -> root.toPrettyString() + "\n";
      case "yaml" -> yaml(root, "");
      default -> throw new IllegalArgumentException(format);
    };
  }

  /// Block YAML of maps and scalars, the only shapes these documents have.
  private static String yaml(ObjectNode node, String indent) {
    StringBuilder text = new StringBuilder();
    node.properties()
        .forEach(
            member -> {
              text.append(indent).append(member.getKey()).append(':');
              if (member.getValue() instanceof ObjectNode inner) {
                text.append('\n').append(yaml(inner, indent + "  "));
              } else {
                // A JSON scalar is a YAML scalar with the same meaning.
                text.append(' ').append(member.getValue()).append('\n');
              }
            });
    return text.toString();
  }
}
