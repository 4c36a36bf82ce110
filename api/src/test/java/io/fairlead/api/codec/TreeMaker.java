package io.fairlead.api.codec;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.ScalarKind;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.Times;
import io.fairlead.api.schema.Type;
import java.time.Instant;
import java.util.Base64;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Makes random objects that fit a type, already in canonical form.
final class TreeMaker {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String[] TEXTS = {
    "a", "web", "true", "80", "y", "é世", "two\nlines\n", " space ", "a: b", "#x", "{}", "-", "1e3",
    "\t", "'", "\"", "\\", "null", "~", "0x1f", "last\n\n", "\n", "👍", "-n", "--- x", "\u0007"
  };
  private static final String[] QUANTITIES = {"1", "500m", "1Gi", "0", "1500", "3k", "100m"};

  private final Random random;

  TreeMaker(Random random) {
    this.random = random;
  }

  ObjectNode object(StructType type, int depth) {
    ObjectNode object = Json.object();
    for (Field field : type.fields()) {
      boolean typeMeta = field.name().equals("kind") || field.name().equals("apiVersion");
      if (!typeMeta && random.nextInt(depth > 4 ? 12 : 3) == 0) {
        JsonNode value = value(field.type(), depth);
        boolean emptyContainer = value.isContainer() && value.isEmpty();
        if (!emptyContainer || field.type() instanceof StructType) {
          object.set(field.name(), value);
        }
      }
    }
    return object;
  }

  private JsonNode value(Type type, int depth) {
    return switch (type) {
      case StructType struct -> depth > 7 ? Json.object() : object(struct, depth + 1);
      case Type.ListOf list -> {
        ArrayNode items = Json.array();
        for (int count = random.nextInt(3); count > 0; count--) {
          items.add(value(list.element(), depth + 1));
        }
        yield items;
      }
      case Type.MapOf map -> {
        ObjectNode object = Json.object();
        for (int count = random.nextInt(3); count > 0; count--) {
          object.set(text(), value(map.value(), depth + 1));
        }
        yield object;
      }
      case Type.Scalar scalar -> leaf(scalar.kind());
    };
  }

  /// Never a zero: plain fields drop those.
  private JsonNode leaf(ScalarKind kind) {
    return switch (kind) {
      case STRING -> NODES.stringNode(text());
      case BOOLEAN -> NODES.booleanNode(true);
      case INT32 -> NODES.numberNode(random.nextInt(1, Integer.MAX_VALUE));
      case INT64 -> NODES.numberNode(random.nextLong((1L << 53) + 1, Long.MAX_VALUE));
      case DOUBLE -> NODES.numberNode(random.nextInt(1, 99) + 0.5);
      case BYTES -> {
        byte[] bytes = new byte[1 + random.nextInt(9)];
        random.nextBytes(bytes);
        yield NODES.stringNode(Base64.getEncoder().encodeToString(bytes));
      }
      case TIME -> NODES.stringNode(Times.seconds(instant()));
      case MICRO_TIME -> NODES.stringNode(Times.microseconds(instant()));
      case DURATION -> NODES.stringNode("1m30s");
      case INT_OR_STRING ->
          random.nextBoolean()
              ? NODES.numberNode(random.nextInt(1, 65536))
              : NODES.stringNode(text());
      case QUANTITY -> NODES.stringNode(QUANTITIES[random.nextInt(QUANTITIES.length)]);
      case ANY -> Json.object().put(text(), random.nextInt()).set("list", Json.array().add(1.5));
    };
  }

  private Instant instant() {
    return Instant.ofEpochSecond(random.nextLong(1, 4_000_000_000L), random.nextInt(1_000_000_000));
  }

  private String text() {
    return TEXTS[random.nextInt(TEXTS.length)];
  }
}
