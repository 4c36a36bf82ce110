package io.fairlead.server.cel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What is known of a value before an expression runs.
///
/// @param name what messages call it; also tells opaque types and parameters apart
/// @param parameters the element of a list, key and value of a map, the value of an optional, the
///   members of an object that it does not name
/// @param fields the members of an object
/// @param maxSize the most bytes, items or entries it can have; [#UNLIMITED] when nothing says
public record CelType(
    Kind kind, String name, List<CelType> parameters, Map<String, CelType> fields, long maxSize) {
  /// The sorts of types.
  public enum Kind {
    DYN,
    NULL,
    BOOL,
    INT,
    UINT,
    DOUBLE,
    STRING,
    BYTES,
    DURATION,
    TIMESTAMP,
    TYPE,
    LIST,
    MAP,
    OBJECT,
    OPTIONAL,
    OPAQUE,
    PARAMETER
  }

  /// The size of what has no bound of its own: what fits into a request.
  public static final long UNLIMITED = 3L << 20;

  public static final CelType DYN = of(Kind.DYN, "dyn");
  public static final CelType NULL = of(Kind.NULL, "null");
  public static final CelType BOOL = of(Kind.BOOL, "bool");
  public static final CelType INT = of(Kind.INT, "int");
  public static final CelType UINT = of(Kind.UINT, "uint");
  public static final CelType DOUBLE = of(Kind.DOUBLE, "double");
  public static final CelType STRING = of(Kind.STRING, "string");
  public static final CelType BYTES = of(Kind.BYTES, "bytes");
  public static final CelType DURATION = of(Kind.DURATION, "google.protobuf.Duration");
  public static final CelType TIMESTAMP = of(Kind.TIMESTAMP, "google.protobuf.Timestamp");
  public static final CelType TYPE = of(Kind.TYPE, "type");

  /// The user of a request, of whom expressions ask what they may do.
  public static final CelType AUTHORIZER = opaque("kubernetes.authorization.Authorizer");

  /// A resource, with the user of whom expressions ask what they may do to it.
  public static final CelType RESOURCE_CHECK = opaque("kubernetes.authorization.ResourceCheck");

  static final CelType A = of(Kind.PARAMETER, "A");
  static final CelType B = of(Kind.PARAMETER, "B");

  public CelType {
    parameters = List.copyOf(parameters);
    fields = Map.copyOf(fields);
  }

  private static CelType of(Kind kind, String name) {
    return new CelType(kind, name, List.of(), Map.of(), UNLIMITED);
  }

  public static CelType list(CelType element) {
    return new CelType(Kind.LIST, "list", List.of(element), Map.of(), UNLIMITED);
  }

  public static CelType map(CelType key, CelType value) {
    return new CelType(Kind.MAP, "map", List.of(key, value), Map.of(), UNLIMITED);
  }

  public static CelType object(String name, Map<String, CelType> fields) {
    return new CelType(Kind.OBJECT, name, List.of(), fields, UNLIMITED);
  }

  /// An object that may have any member.
  public static CelType openObject(String name) {
    return new CelType(Kind.OBJECT, name, List.of(DYN), Map.of(), UNLIMITED);
  }

  public static CelType optional(CelType value) {
    return new CelType(Kind.OPTIONAL, "optional_type", List.of(value), Map.of(), UNLIMITED);
  }

  static CelType opaque(String name) {
    return of(Kind.OPAQUE, name);
  }

  /// The same with a bound of its size.
  public CelType atMost(long size) {
    return new CelType(kind, name, parameters, fields, Math.min(size, UNLIMITED));
  }

  CelType parameter(int index) {
    return index < parameters.size() ? parameters.get(index) : DYN;
  }

  /// The type of a member of an object; null when it has none of that name.
  @Nullable CelType member(String field) {
    CelType known = fields.get(field);
    return known == null && !parameters.isEmpty() ? parameters.getFirst() : known;
  }

  /// Whether nothing is known of the value.
  public boolean isDyn() {
    return kind == Kind.DYN;
  }

  /// Whether a value of this type may be used where the other is asked for.
  public boolean fits(CelType wanted) {
    return fits(wanted, new HashMap<>());
  }

  /// Whether a value of this type can be used where the other is asked for. What parameters stand
  /// for is noted in `bound`.
  boolean fits(CelType wanted, Map<String, CelType> bound) {
    if (wanted.kind == Kind.PARAMETER) {
      CelType known = bound.get(wanted.name);
      if (known == null || known.isDyn()) {
        bound.put(wanted.name, this);
        return true;
      }
      return fits(known, bound);
    }
    if (isDyn() || wanted.isDyn() || kind == Kind.PARAMETER) {
      return true;
    }
    if (kind == Kind.NULL || wanted.kind == Kind.NULL) {
      return kind == wanted.kind || isNullable(kind) || isNullable(wanted.kind);
    }
    if (kind != wanted.kind) {
      return false;
    }
    if (kind == Kind.OPAQUE || kind == Kind.OBJECT) {
      return name.equals(wanted.name);
    }
    for (int at = 0; at < Math.min(parameters.size(), wanted.parameters.size()); at++) {
      if (!parameters.get(at).fits(wanted.parameters.get(at), bound)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isNullable(Kind kind) {
    return kind == Kind.OBJECT
        || kind == Kind.OPAQUE
        || kind == Kind.DURATION
        || kind == Kind.TIMESTAMP;
  }

  /// This type with the parameters replaced by what they stand for.
  CelType with(Map<String, CelType> bound) {
    if (kind == Kind.PARAMETER) {
      return bound.getOrDefault(name, DYN);
    }
    return parameters.isEmpty()
        ? this
        : new CelType(
            kind,
            name,
            parameters.stream().map(each -> each.with(bound)).toList(),
            fields,
            maxSize);
  }

  /// What messages call it: `list(int)`.
  @Override
  public String toString() {
    return parameters.isEmpty() || kind == Kind.OBJECT
        ? name
        : name
            + "("
            + parameters.stream().map(CelType::toString).collect(Collectors.joining(", "))
            + ")";
  }
}
