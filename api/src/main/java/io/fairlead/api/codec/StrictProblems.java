package io.fairlead.api.codec;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Lists unknown and repeated fields of a JSON body together, as they come in the document. Runs
/// only for bodies that have both, which a tree cannot tell apart any more.
final class StrictProblems {
  private static final int MOST = 100;

  private final JsonParser parser;
  private final List<String> problems = new ArrayList<>();

  private StrictProblems(JsonParser parser) {
    this.parser = parser;
  }

  /// @param body JSON that was read and fits the type
  static List<String> inOrder(byte[] body, StructType type) {
    try (JsonParser parser = Json.mapper().createParser(body)) {
      StrictProblems walk = new StrictProblems(parser);
      parser.nextToken();
      walk.value(type, "");
      return walk.problems;
    }
  }

  /// Leaves the parser at the last token of the value.
  private void value(@Nullable Type type, String path) {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT
        && (type instanceof StructType || type instanceof Type.MapOf)) {
      members(type, path);
    } else if (token == JsonToken.START_ARRAY && type instanceof Type.ListOf list) {
      for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
        value(list.element(), path + "[" + index + "]");
      }
    } else {
      parser.skipChildren();
    }
  }

  private void members(Type type, String path) {
    Set<String> seen = new HashSet<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      String where = path.isEmpty() ? name : path + "." + name;
      Type inner = inner(type, name);
      parser.nextToken();
      if (inner == null) {
        add("unknown field \"" + where + "\"");
      } else if (!seen.add(name)) {
        add("duplicate field \"" + where + "\"");
      }
      value(inner, where);
    }
  }

  private static @Nullable Type inner(Type type, String name) {
    if (type instanceof Type.MapOf map) {
      return map.value();
    }
    Field field = type instanceof StructType struct ? struct.field(name) : null;
    return field == null ? null : field.type();
  }

  private void add(String problem) {
    if (problems.size() < MOST) {
      problems.add(problem);
    }
  }
}
