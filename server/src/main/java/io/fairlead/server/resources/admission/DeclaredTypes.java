package io.fairlead.server.resources.admission;

import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.ScalarKind;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.Type;
import io.fairlead.server.cel.CelReservedWords;
import io.fairlead.server.cel.CelType;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/// The objects of the server's own kinds as expressions see them when their types are checked.
///
/// How it works: a struct becomes a type once for each instance of this class. A struct that
/// contains itself has no type inside of itself.
final class DeclaredTypes {
  private final Map<StructType, CelType> made = new IdentityHashMap<>();

  CelType of(StructType struct) {
    CelType known = made.get(struct);
    if (known != null) {
      return known;
    }
    if (struct.others() != null) {
      return CelType.DYN;
    }
    made.put(struct, CelType.DYN);
    Map<String, CelType> fields = new HashMap<>();
    for (Field field : struct.fields()) {
      CelType type = of(field.type());
      fields.put(field.name(), type);
      if (CelReservedWords.ALL.contains(field.name())) {
        fields.put("__" + field.name() + "__", type);
      }
    }
    CelType type = CelType.object(struct.name(), fields);
    made.put(struct, type);
    return type;
  }

  private CelType of(Type type) {
    return switch (type) {
      case Type.Scalar(ScalarKind kind) -> of(kind);
      case Type.ListOf(Type element) -> CelType.list(of(element));
      case Type.MapOf(Type value) -> CelType.map(CelType.STRING, of(value));
      case StructType struct -> of(struct);
    };
  }

  private static CelType of(ScalarKind kind) {
    return switch (kind) {
      // OpenAPI tells neither a quantity nor a duration from other text.
      case STRING, QUANTITY, DURATION -> CelType.STRING;
      case BOOLEAN -> CelType.BOOL;
      case INT32, INT64 -> CelType.INT;
      case DOUBLE -> CelType.DOUBLE;
      case BYTES -> CelType.BYTES;
      case TIME, MICRO_TIME -> CelType.TIMESTAMP;
      case INT_OR_STRING, ANY -> CelType.DYN;
    };
  }
}
