package io.fairlead.api.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Builds the graph of types from the lines that the build wrote (module `schema`, class `Line`).
///
/// Two passes: first every struct by name, then the fields, which refer to structs. Fields that
/// JSON flattens into a parent take their facts from the nested message they truly belong to.
final class SchemaReader {
  private static final Map<String, Type> SCALARS =
      Map.ofEntries(
          scalar("string", ScalarKind.STRING),
          scalar("boolean", ScalarKind.BOOLEAN),
          scalar("int32", ScalarKind.INT32),
          scalar("int64", ScalarKind.INT64),
          scalar("double", ScalarKind.DOUBLE),
          scalar("bytes", ScalarKind.BYTES),
          scalar("time", ScalarKind.TIME),
          scalar("microTime", ScalarKind.MICRO_TIME),
          scalar("duration", ScalarKind.DURATION),
          scalar("intOrString", ScalarKind.INT_OR_STRING),
          scalar("quantity", ScalarKind.QUANTITY),
          scalar("any", ScalarKind.ANY));

  private final SchemaSupplement facts;
  private final Map<String, StructType> structs = new LinkedHashMap<>();
  private final Map<String, Type> types = new HashMap<>(SCALARS);

  SchemaReader(SchemaSupplement facts) {
    this.facts = facts;
  }

  Schemas read(List<String> lines) {
    for (String line : lines) {
      if (line.startsWith("S\t")) {
        int tab = line.indexOf('\t', 2);
        String name = line.substring(2, tab);
        String description = unescaped(line.substring(tab + 1));
        structs.put(name, new StructType(name, description, facts.isAtomic(name)));
      }
    }
    Map<String, List<String[]>> members = members(lines);
    for (StructType struct : structs.values()) {
      struct.link(fields(struct.name(), members));
    }
    return new Schemas(structs);
  }

  private static Map<String, List<String[]>> members(List<String> lines) {
    Map<String, List<String[]>> members = new HashMap<>();
    List<String[]> current = new ArrayList<>();
    for (String line : lines) {
      String[] cells = line.split("\t", -1);
      if (cells[0].equals("S")) {
        current = new ArrayList<>();
        members.put(cells[1], current);
      } else {
        current.add(cells);
      }
    }
    return members;
  }

  private List<Field> fields(String struct, Map<String, List<String[]>> members) {
    Map<String, String> owners = new HashMap<>();
    List<String[]> own = members.getOrDefault(struct, List.of());
    for (String[] cells : own) {
      if (cells[0].equals("I")) {
        String nested = cells[2].substring(1);
        for (String[] inner : members.getOrDefault(nested, List.of())) {
          owners.put(inner[1], nested);
        }
      }
    }
    List<Field> fields = new ArrayList<>();
    for (String[] cells : own) {
      Type type = type(cells[2]);
      int number = Integer.parseInt(cells[3]);
      if (cells[0].equals("I")) {
        fields.add(
            new Field(
                cells[1], type, "", false, number, false, true, MergeStrategy.DEFAULT, false, ""));
      } else {
        String owner = number == 0 ? owners.getOrDefault(cells[1], struct) : struct;
        fields.add(
            new Field(
                cells[1],
                type,
                unescaped(cells[5]),
                cells[4].equals("r"),
                number,
                facts.isPointer(owner, cells[1]),
                false,
                facts.merge(owner, cells[1], type),
                cells[4].equals("r") || facts.isWritten(owner, cells[1]),
                facts.goType(owner, cells[1])));
      }
    }
    return fields;
  }

  private Type type(String text) {
    Type known = types.get(text);
    if (known == null) {
      known = made(text);
      types.put(text, known);
    }
    return known;
  }

  private Type made(String text) {
    if (text.startsWith("[]")) {
      return new Type.ListOf(type(text.substring(2)));
    }
    if (text.startsWith("{}")) {
      return new Type.MapOf(type(text.substring(2)));
    }
    StructType struct = structs.get(text.substring(1));
    if (struct == null) {
      throw new IllegalStateException("the schema resource refers to an unknown type " + text);
    }
    return struct;
  }

  private static Map.Entry<String, Type> scalar(String name, ScalarKind kind) {
    return Map.entry(name, new Type.Scalar(kind));
  }

  private static String unescaped(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\\') {
        at++;
        char escape = text.charAt(at);
        c = escape == 't' ? '\t' : escape == 'n' ? '\n' : escape;
      }
      out.append(c);
    }
    return out.toString();
  }
}
