package io.fairlead.api.codec;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.JsonReader;
import io.fairlead.api.protobuf.ProtobufReader;
import io.fairlead.api.schema.Conformer;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the body of a request into a tree that fits a type.
///
/// Throws [DecodeException] and nothing else, whatever the bytes are.
public final class Decoder {
  private Decoder() {}

  /// Reads a whole object.
  public static DecodedBody decode(byte[] body, BodyFormat format, StructType expected) {
    DecodedBody parsed =
        format == BodyFormat.PROTOBUF
            ? new DecodedBody(ProtobufReader.read(body, expected), List.of())
            : parse(body, format);
    return conformed(parsed, expected);
  }

  /// Reads a body into a raw tree, not yet held against a type: for patches and for looking at
  /// `kind` and `apiVersion` before the type is known. Repeated fields are reported in both cases.
  public static DecodedBody parse(byte[] body, BodyFormat format) {
    return switch (format) {
      case JSON -> json(body);
      case YAML -> looksLikeJson(body) ? jsonOrYaml(body) : yaml(body);
      case PROTOBUF ->
          throw new DecodeException("protobuf cannot be read without knowing what it is");
    };
  }

  /// Makes a parsed body fit its type and adds the fields that type does not know.
  public static DecodedBody conformed(DecodedBody parsed, StructType expected) {
    List<String> problems = new ArrayList<>(parsed.strictProblems());
    problems.addAll(Conformer.conform(parsed.object(), expected));
    return new DecodedBody(parsed.object(), problems);
  }

  /// Like [#conformed], with the problems in the order of the document where that is JSON.
  public static DecodedBody conformed(
      DecodedBody parsed, StructType expected, byte[] body, BodyFormat format) {
    DecodedBody conformed = conformed(parsed, expected);
    int repeated = parsed.strictProblems().size();
    boolean both = repeated > 0 && conformed.strictProblems().size() > repeated;
    return both && format == BodyFormat.JSON
        ? new DecodedBody(conformed.object(), StrictProblems.inOrder(body, expected))
        : conformed;
  }

  private static DecodedBody json(byte[] body) {
    JsonReader.Parsed parsed = JsonReader.read(body);
    return object(parsed.value(), parsed.duplicates());
  }

  private static DecodedBody yaml(byte[] body) {
    Yaml.Parsed parsed = Yaml.read(body);
    return object(parsed.value(), parsed.duplicates());
  }

  private static DecodedBody object(JsonNode value, List<String> duplicates) {
    if (!(value instanceof ObjectNode object)) {
      throw new DecodeException(
          "the body must be an object, not " + (value.isNull() ? "empty" : kindOf(value)));
    }
    return new DecodedBody(
        object, duplicates.stream().map(path -> "duplicate field \"" + path + "\"").toList());
  }

  private static String kindOf(JsonNode value) {
    return switch (value.getNodeType()) {
      case ARRAY -> "a list";
      case STRING -> "a string";
      case NUMBER -> "a number";
      default -> "a boolean";
    };
  }

  /// kubectl sends JSON under a YAML content type; its tabs would not be YAML.
  private static boolean looksLikeJson(byte[] body) {
    for (byte b : body) {
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        return b == '{';
      }
    }
    return false;
  }

  private static DecodedBody jsonOrYaml(byte[] body) {
    try {
      return json(body);
    } catch (DecodeException e) {
      // A flow mapping, `{name: a}`, begins like JSON and is none.
      return yaml(body);
    }
  }
}
