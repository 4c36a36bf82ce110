package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameGenerator;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A short name for a pod template: FNV-1a of its JSON with sorted members, its digits spelled in
/// the letters of generated names. The original hashes a dump of its own structures, so the values
/// differ; it must not be used to compare templates, only to name objects.
public final class TemplateHash {
  private static final int OFFSET = 0x811c9dc5;
  private static final int PRIME = 0x01000193;

  private TemplateHash() {}

  /// @param collisions how often the name made from it was taken by something else
  public static String of(JsonNode template, int collisions) {
    int hash = OFFSET;
    hash = add(hash, Json.bytes(sorted(template)));
    if (collisions > 0) {
      hash = add(hash, Integer.toString(collisions).getBytes(StandardCharsets.UTF_8));
    }
    StringBuilder safe = new StringBuilder();
    for (char digit : Integer.toUnsignedString(hash).toCharArray()) {
      safe.append(NameGenerator.ALPHABET.charAt(digit % NameGenerator.ALPHABET.length()));
    }
    return safe.toString();
  }

  private static int add(int hash, byte[] bytes) {
    int sum = hash;
    for (byte one : bytes) {
      sum = (sum ^ (one & 0xff)) * PRIME;
    }
    return sum;
  }

  /// The same with the members of every object in order.
  static JsonNode sorted(JsonNode node) {
    if (node instanceof ObjectNode object) {
      Map<String, JsonNode> members = new TreeMap<>();
      object.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
      ObjectNode out = Json.object();
      members.forEach((key, value) -> out.set(key, sorted(value)));
      return out;
    }
    if (node instanceof ArrayNode list) {
      ArrayNode out = Json.array();
      list.forEach(item -> out.add(sorted(item)));
      return out;
    }
    return node;
  }
}
