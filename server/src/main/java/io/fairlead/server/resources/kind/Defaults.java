package io.fairlead.server.resources.kind;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Fills in single fields. A field counts as left out when it is missing or null; where zero and
/// missing mean the same to the API, also when it is zero or empty.
public final class Defaults {
  private Defaults() {}

  /// Sets a text that is missing or empty.
  public static void text(ObjectNode object, String key, String value) {
    if (object.path(key).asString("").isEmpty()) {
      object.put(key, value);
    }
  }

  /// Sets a number that is missing or zero.
  public static void number(ObjectNode object, String key, int value) {
    if (object.path(key).asLong(0) == 0) {
      object.put(key, value);
    }
  }

  /// Sets a number that is missing; zero stays.
  public static void missingNumber(ObjectNode object, String key, int value) {
    if (isMissing(object, key)) {
      object.put(key, value);
    }
  }

  /// Sets a text that is missing; empty stays.
  public static void missingText(ObjectNode object, String key, String value) {
    if (isMissing(object, key)) {
      object.put(key, value);
    }
  }

  public static void missingFlag(ObjectNode object, String key, boolean value) {
    if (isMissing(object, key)) {
      object.put(key, value);
    }
  }

  /// Makes an empty object that is missing, and returns what is there.
  public static ObjectNode object(ObjectNode parent, String key) {
    return io.fairlead.api.json.Json.child(parent, key);
  }

  public static boolean isMissing(ObjectNode object, String key) {
    JsonNode value = object.get(key);
    return value == null || value.isNull();
  }

  /// Removes a list or map that has nothing in it.
  public static void dropEmpty(ObjectNode object, String key) {
    JsonNode value = object.get(key);
    if (value != null && value.isContainer() && value.isEmpty()) {
      object.remove(key);
    }
  }
}
