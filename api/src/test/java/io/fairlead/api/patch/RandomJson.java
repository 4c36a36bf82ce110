package io.fairlead.api.patch;

import io.fairlead.api.json.Json;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Small random values over few keys, so that patches and objects meet often.
final class RandomJson {
  private static final String[] KEYS = {"a", "b", "c", "d/e", "f~g", "0", "1"};

  private RandomJson() {}

  static JsonNode value(RandomGenerator random, int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 5)) {
      case 0 -> JsonNodeFactory.instance.nullNode();
      case 1 -> JsonNodeFactory.instance.numberNode(random.nextInt(3));
      case 2 -> JsonNodeFactory.instance.stringNode(KEYS[random.nextInt(KEYS.length)]);
      case 3 -> JsonNodeFactory.instance.booleanNode(random.nextBoolean());
      case 4 -> Json.array();
      case 5 -> list(random, depth);
      default -> object(random, depth);
    };
  }

  static JsonNode object(RandomGenerator random, int depth) {
    ObjectNode object = Json.object();
    for (int size = random.nextInt(4); size > 0; size--) {
      object.set(KEYS[random.nextInt(KEYS.length)], value(random, depth - 1));
    }
    return object;
  }

  private static ArrayNode list(RandomGenerator random, int depth) {
    ArrayNode list = Json.array();
    for (int size = random.nextInt(4); size > 0; size--) {
      list.add(value(random, depth - 1));
    }
    return list;
  }

  static String key(RandomGenerator random) {
    return KEYS[random.nextInt(KEYS.length)];
  }
}
