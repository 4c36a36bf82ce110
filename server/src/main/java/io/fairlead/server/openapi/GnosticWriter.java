package io.fairlead.server.openapi;

import com.google.protobuf.CodedOutputStream;
import io.fairlead.api.yaml.Yaml;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Writes an OpenAPI 2 document in the protobuf form of the gnostic project, which kubectl up to
/// 1.28 demands. Field numbers are those of gnostic's `OpenAPIv2.proto`; only what kubectl reads is
/// written: query parameters, consumed types, extensions, schemas.
final class GnosticWriter {
  private static final int BUFFER = 512;

  private GnosticWriter() {}

  static byte[] write(JsonNode document) {
    return message(
        out -> {
          out.writeString(1, document.path("swagger").asString());
          out.writeByteArray(2, info(document.path("info")));
          out.writeByteArray(8, paths(document.path("paths")));
          out.writeByteArray(9, definitions(document.path("definitions")));
        });
  }

  private static byte[] info(JsonNode info) {
    return message(
        out -> {
          out.writeString(1, info.path("title").asString());
          out.writeString(2, info.path("version").asString());
        });
  }

  private static byte[] paths(JsonNode paths) {
    return message(
        out -> {
          for (Map.Entry<String, JsonNode> path : paths.properties()) {
            out.writeByteArray(2, named(path.getKey(), item(path.getValue())));
          }
        });
  }

  private static byte[] item(JsonNode item) {
    return message(
        out -> {
          String[] methods = {"get", "put", "post", "delete", "patch"};
          int[] numbers = {2, 3, 4, 5, 8};
          for (int at = 0; at < methods.length; at++) {
            if (item.has(methods[at])) {
              out.writeByteArray(numbers[at], operation(item.path(methods[at])));
            }
          }
        });
  }

  private static byte[] operation(JsonNode operation) {
    return message(
        out -> {
          text(out, 3, operation.path("description"));
          text(out, 5, operation.path("operationId"));
          for (JsonNode type : operation.path("produces").values()) {
            text(out, 6, type);
          }
          for (JsonNode type : operation.path("consumes").values()) {
            text(out, 7, type);
          }
          for (JsonNode parameter : operation.path("parameters").values()) {
            if (parameter.path("in").asString().equals("query")) {
              out.writeByteArray(8, parameter(parameter));
            }
          }
          out.writeByteArray(9, responses());
          extensions(out, 13, operation);
        });
  }

  /// ParametersItem{1 Parameter{2 NonBodyParameter{3 Query}}}.
  private static byte[] parameter(JsonNode parameter) {
    byte[] query =
        message(
            out -> {
              text(out, 2, parameter.path("in"));
              text(out, 3, parameter.path("description"));
              text(out, 4, parameter.path("name"));
              text(out, 6, parameter.path("type"));
            });
    return wrapped(1, wrapped(2, wrapped(3, query)));
  }

  /// Responses{1 NamedResponseValue{1 "200", 2 ResponseValue{1 Response{1 description}}}}.
  private static byte[] responses() {
    byte[] response = message(out -> out.writeString(1, "OK"));
    return wrapped(1, named("200", wrapped(1, response)));
  }

  private static byte[] definitions(JsonNode definitions) {
    return message(
        out -> {
          for (Map.Entry<String, JsonNode> definition : definitions.properties()) {
            out.writeByteArray(1, named(definition.getKey(), schema(definition.getValue())));
          }
        });
  }

  private static byte[] schema(JsonNode schema) {
    return message(
        out -> {
          text(out, 1, schema.path("$ref"));
          text(out, 2, schema.path("format"));
          text(out, 4, schema.path("description"));
          for (JsonNode name : schema.path("required").values()) {
            text(out, 19, name);
          }
          if (schema.has("additionalProperties")) {
            out.writeByteArray(21, wrapped(1, schema(schema.path("additionalProperties"))));
          }
          if (schema.has("type")) {
            out.writeByteArray(22, message(type -> text(type, 1, schema.path("type"))));
          }
          if (schema.has("items")) {
            out.writeByteArray(23, wrapped(1, schema(schema.path("items"))));
          }
          if (schema.has("properties")) {
            out.writeByteArray(25, definitions(schema.path("properties")));
          }
          extensions(out, 31, schema);
        });
  }

  /// `x-…` members: NamedAny{1 name, 2 Any{2 yaml}}.
  private static void extensions(CodedOutputStream out, int number, JsonNode holder)
      throws IOException {
    for (Map.Entry<String, JsonNode> member : holder.properties()) {
      if (member.getKey().startsWith("x-")) {
        byte[] any = message(yaml -> yaml.writeString(2, Yaml.write(member.getValue())));
        out.writeByteArray(number, named(member.getKey(), any));
      }
    }
  }

  private static byte[] named(String name, byte[] value) {
    return message(
        out -> {
          out.writeString(1, name);
          out.writeByteArray(2, value);
        });
  }

  private static byte[] wrapped(int number, byte[] value) {
    return message(out -> out.writeByteArray(number, value));
  }

  private static void text(CodedOutputStream out, int number, JsonNode value) throws IOException {
    if (value.isString() && !value.stringValue().isEmpty()) {
      out.writeString(number, value.stringValue());
    }
  }

  /// A part of a message, made apart because its length stands before it.
  private interface Part {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Part part) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      CodedOutputStream out = CodedOutputStream.newInstance(bytes, BUFFER);
      part.write(out);
      out.flush();
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
