package io.fairlead.api.yaml;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// YAML as Kubernetes reads and writes it: one document, YAML 1.1 words (`yes` and `on` are true),
/// string keys, no objects made from tags.
public final class Yaml {
  private Yaml() {}

  /// A value and the keys that were given more than once.
  ///
  /// @param duplicates their paths
  /// @param lines where each was given again, as Go says it: `line 3: key "a" already set in map`
  public record Parsed(JsonNode value, List<String> duplicates, List<String> lines) {}

  /// Reads one document; an empty one is null. Throws only [DecodeException].
  public static JsonNode parse(String text) {
    return read(text).value();
  }

  /// Reads one document of UTF-8 bytes. Throws only [DecodeException].
  public static JsonNode parse(byte[] bytes) {
    return read(bytes).value();
  }

  /// Like [#parse(byte[])], and reports which keys were repeated.
  public static Parsed read(byte[] bytes) {
    try {
      return read(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      throw new DecodeException("invalid YAML: not UTF-8 text");
    }
  }

  /// Reads all objects of a manifest: of each document, and of each list one by one. What has no
  /// kind is left out. Throws only [DecodeException].
  public static List<ObjectNode> objects(String manifest) {
    List<ObjectNode> objects = new ArrayList<>();
    for (String document : manifest.split("(?m)^---.*$")) {
      addObjects(objects, parse(document));
    }
    return objects;
  }

  private static void addObjects(List<ObjectNode> objects, JsonNode value) {
    String kind = Json.textOr(value, "", "kind");
    if (kind.endsWith("List")) {
      value.path("items").forEach(item -> addObjects(objects, item));
    } else if (!kind.isEmpty() && value instanceof ObjectNode object) {
      objects.add(object);
    }
  }

  /// Writes a document with sorted keys, as the Kubernetes tools do.
  public static String write(JsonNode value) {
    return YamlWriter.write(value);
  }

  /// Writes the same document as [#write] would of the head with that list in it, item by item: a
  /// list of everything is large, and many times larger as a tree. The stream stays open.
  ///
  /// @param member the name under which the items stand
  public static void writeList(
      OutputStream out, ObjectNode head, String member, Iterator<? extends JsonNode> items)
      throws IOException {
    YamlWriter.writeList(out, head, member, items);
  }

  private static Parsed read(String text) {
    return YamlReader.read(text);
  }
}
