package io.fairlead.server.cel;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What expressions work on: Boolean, Long, [CelUint], Double, String, [CelBytes], List, Map (or a
/// [CelObject]), Duration, Instant, Optional, [#NULL], and the values of Kubernetes' own types.
public final class CelValues {
  /// CEL's null.
  public static final Object NULL = new NullValue();

  /// The one value of CEL's type null.
  record NullValue() {
    @Override
    public String toString() {
      return "null";
    }
  }

  /// A type as a value.
  record TypeValue(String name) {}

  private CelValues() {}

  /// A JSON value without a schema: whole numbers are ints.
  public static Object of(@Nullable JsonNode node) {
    if (node == null) {
      return NULL;
    }
    return switch (node.getNodeType()) {
      case STRING -> node.stringValue();
      case BOOLEAN -> node.booleanValue();
      case NUMBER ->
          node.isIntegralNumber() && node.canConvertToLong()
              ? (Object) node.longValue()
              : (Object) node.doubleValue();
      case ARRAY -> {
        List<Object> items = new ArrayList<>(node.size());
        node.forEach(item -> items.add(of(item)));
        yield items;
      }
      case OBJECT -> {
        Map<String, Object> members = LinkedHashMap.newLinkedHashMap(node.size());
        for (Map.Entry<String, JsonNode> member : node.properties()) {
          members.put(member.getKey(), of(member.getValue()));
        }
        yield members;
      }
      default -> NULL;
    };
  }

  /// A value of [CelType#AUTHORIZER].
  public static Object subject(CelAuthorizer authorizer) {
    return new CelOpaque.Subject(authorizer);
  }

  /// A value of [CelType#RESOURCE_CHECK].
  public static Object resourceCheck(CelAuthorizer authorizer, CelAuthorizer.Target target) {
    return new CelOpaque.ResourceCheck(authorizer, target);
  }

  /// A length of time as Go writes it, or null when the text is none.
  public static @Nullable Duration durationOrNull(String text) {
    Long nanoseconds = GoDuration.nanoseconds(text);
    return nanoseconds == null ? null : Duration.ofNanos(nanoseconds);
  }

  /// Whether a value can be used where that type is asked for.
  static boolean is(Object value, CelType type) {
    return switch (type.kind()) {
      case DYN, PARAMETER -> true;
      case NULL -> value instanceof NullValue;
      case BOOL -> value instanceof Boolean;
      case INT -> value instanceof Long;
      case UINT -> value instanceof CelUint;
      case DOUBLE -> value instanceof Double;
      case STRING -> value instanceof String;
      case BYTES -> value instanceof CelBytes;
      case DURATION -> value instanceof Duration;
      case TIMESTAMP -> value instanceof Instant;
      case TYPE -> value instanceof TypeValue;
      case LIST -> value instanceof List<?>;
      case MAP, OBJECT -> value instanceof Map<?, ?>;
      case OPTIONAL -> value instanceof Optional<?>;
      case OPAQUE -> typeName(value).equals(type.name());
    };
  }

  static String typeName(Object value) {
    return switch (value) {
      case Boolean _ -> "bool";
      case Long _ -> "int";
      case CelUint _ -> "uint";
      case Double _ -> "double";
      case String _ -> "string";
      case CelBytes _ -> "bytes";
      case List<?> _ -> "list";
      case CelObject object -> object.type();
      case Map<?, ?> _ -> "map";
      case Duration _ -> "google.protobuf.Duration";
      case Instant _ -> "google.protobuf.Timestamp";
      case Optional<?> _ -> "optional_type";
      case TypeValue _ -> "type";
      case CelOpaque opaque -> opaque.typeName();
      case NullValue _ -> "null_type";
      default -> "dyn";
    };
  }

  /// Numbers of all types are compared by their value.
  static boolean same(Object one, Object two) {
    if (isNumber(one) && isNumber(two)) {
      return compareNumbers(one, two) == 0 && !isNaN(one) && !isNaN(two);
    }
    if (one instanceof List<?> left && two instanceof List<?> right) {
      if (left.size() != right.size()) {
        return false;
      }
      for (int at = 0; at < left.size(); at++) {
        if (!same(left.get(at), right.get(at))) {
          return false;
        }
      }
      return true;
    }
    if (one instanceof Map<?, ?> left && two instanceof Map<?, ?> right) {
      return left.size() == right.size()
          && left.entrySet().stream()
              .allMatch(
                  each -> {
                    Object other = get(right, each.getKey());
                    return other != null && same(each.getValue(), other);
                  });
    }
    if (one instanceof Optional<?> left && two instanceof Optional<?> right) {
      if (left.isPresent() && right.isPresent()) {
        return same(left.get(), right.get());
      }
      return left.isEmpty() && right.isEmpty();
    }
    return one.equals(two);
  }

  /// The value of a key; null when there is none.
  static @Nullable Object get(Map<?, ?> map, Object key) {
    Object value = map.get(key);
    if (value == null && isNumber(key) && !(key instanceof Long)) {
      BigDecimal number = number(key);
      return number.stripTrailingZeros().scale() <= 0 && number.toBigInteger().bitLength() < 64
          ? map.get(number.longValue())
          : null;
    }
    return value;
  }

  static boolean isNumber(Object value) {
    return value instanceof Long || value instanceof Double || value instanceof CelUint;
  }

  private static boolean isNaN(Object value) {
    return value instanceof Double number && number.isNaN();
  }

  static int compareNumbers(Object one, Object two) {
    if (one instanceof Long left && two instanceof Long right) {
      return Long.compare(left, right);
    }
    if (isInfinite(one) || isInfinite(two)) {
      return Double.compare(approximate(one), approximate(two));
    }
    return number(one).compareTo(number(two));
  }

  private static boolean isInfinite(Object value) {
    return value instanceof Double number && (number.isInfinite() || number.isNaN());
  }

  private static double approximate(Object value) {
    return value instanceof Double number ? number : number(value).doubleValue();
  }

  static BigDecimal number(Object value) {
    return switch (value) {
      case Long number -> BigDecimal.valueOf(number);
      case CelUint number -> new BigDecimal(new BigInteger(number.toString()));
      case Double number -> new BigDecimal(number);
      default -> throw CelEvaluationException.noOverload();
    };
  }

  /// Orders two values of one type.
  static int compare(Object one, Object two) {
    if (isNumber(one) && isNumber(two)) {
      return compareNumbers(one, two);
    }
    return switch (one) {
      case String left when two instanceof String right -> compareTexts(left, right);
      case Boolean left when two instanceof Boolean right -> left.compareTo(right);
      case Duration left when two instanceof Duration right -> left.compareTo(right);
      case Instant left when two instanceof Instant right -> left.compareTo(right);
      case CelBytes left when two instanceof CelBytes right ->
          java.util.Arrays.compareUnsigned(left.array(), right.array());
      default -> throw CelEvaluationException.noOverload();
    };
  }

  private static int compareTexts(String left, String right) {
    return java.util.Arrays.compare(left.codePoints().toArray(), right.codePoints().toArray());
  }

  /// How much there is to walk over.
  static long size(Object value) {
    return switch (value) {
      case String text -> text.length();
      case CelBytes bytes -> bytes.size();
      case List<?> list -> list.size();
      case Map<?, ?> map -> map.size();
      default -> 1;
    };
  }
}
