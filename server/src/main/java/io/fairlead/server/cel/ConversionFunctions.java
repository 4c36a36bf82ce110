package io.fairlead.server.cel;

import static io.fairlead.server.cel.CelType.A;
import static io.fairlead.server.cel.CelType.BOOL;
import static io.fairlead.server.cel.CelType.BYTES;
import static io.fairlead.server.cel.CelType.DOUBLE;
import static io.fairlead.server.cel.CelType.DURATION;
import static io.fairlead.server.cel.CelType.DYN;
import static io.fairlead.server.cel.CelType.INT;
import static io.fairlead.server.cel.CelType.STRING;
import static io.fairlead.server.cel.CelType.TIMESTAMP;
import static io.fairlead.server.cel.CelType.TYPE;
import static io.fairlead.server.cel.CelType.UINT;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;

/// `int(x)`, `string(x)` and their like.
final class ConversionFunctions {
  private ConversionFunctions() {}

  static void addTo(CelFunctions all) {
    all.function("dyn", DYN, List.of(A), one -> one.get(0));
    all.function(
        "type", TYPE, List.of(A), one -> new CelValues.TypeValue(CelValues.typeName(one.get(0))));
    for (CelType type : List.of(INT, UINT, DOUBLE, STRING, TIMESTAMP)) {
      all.function("int", INT, List.of(type), one -> toInt(one.get(0)));
    }
    for (CelType type : List.of(INT, UINT, DOUBLE, STRING)) {
      all.function("uint", UINT, List.of(type), one -> toUint(one.get(0)));
      all.function("double", DOUBLE, List.of(type), one -> toDouble(one.get(0)));
    }
    for (CelType type : List.of(STRING, INT, UINT, DOUBLE, BOOL, BYTES, DURATION, TIMESTAMP)) {
      all.function("string", STRING, List.of(type), one -> toText(one.get(0)));
    }
    all.function(
        "bytes",
        BYTES,
        List.of(STRING),
        one -> new CelBytes(((String) one.get(0)).getBytes(StandardCharsets.UTF_8)));
    all.function("bytes", BYTES, List.of(BYTES), one -> one.get(0));
    all.function("bool", BOOL, List.of(BOOL), one -> one.get(0));
    all.function("bool", BOOL, List.of(STRING), one -> toBool((String) one.get(0)));
    all.function("duration", DURATION, List.of(DURATION), one -> one.get(0));
    all.function("duration", DURATION, List.of(STRING), one -> toDuration((String) one.get(0)));
    all.function("timestamp", TIMESTAMP, List.of(TIMESTAMP), one -> one.get(0));
    all.function("timestamp", TIMESTAMP, List.of(STRING), one -> toTimestamp((String) one.get(0)));
    all.function(
        "timestamp",
        TIMESTAMP,
        List.of(INT),
        one -> within(() -> Instant.ofEpochSecond((Long) one.get(0))));
  }

  private static Object within(java.util.function.Supplier<Object> computed) {
    try {
      return computed.get();
    } catch (DateTimeException | ArithmeticException e) {
      throw new CelEvaluationException("timestamp overflow");
    }
  }

  private static Object toInt(Object value) {
    return switch (value) {
      case Long number -> number;
      case Instant instant -> instant.getEpochSecond();
      case String text -> {
        try {
          yield Long.parseLong(text);
        } catch (NumberFormatException e) {
          throw new CelEvaluationException("type conversion error from 'string' to 'int'");
        }
      }
      default -> whole(value, 63, "integer overflow").longValueExact();
    };
  }

  private static Object toUint(Object value) {
    if (value instanceof String text) {
      try {
        return new CelUint(Long.parseUnsignedLong(text));
      } catch (NumberFormatException e) {
        throw new CelEvaluationException("type conversion error from 'string' to 'uint'");
      }
    }
    BigInteger number = whole(value, 64, "unsigned integer overflow");
    if (number.signum() < 0) {
      throw new CelEvaluationException("unsigned integer overflow");
    }
    return new CelUint(number.longValue());
  }

  private static BigInteger whole(Object value, int bits, String why) {
    if (value instanceof Double number && (number.isNaN() || number.isInfinite())) {
      throw new CelEvaluationException(why);
    }
    BigInteger number = CelValues.number(value).toBigInteger();
    if (number.bitLength() > bits) {
      throw new CelEvaluationException(why);
    }
    return number;
  }

  private static Object toDouble(Object value) {
    if (value instanceof String text) {
      try {
        return Double.valueOf(text);
      } catch (NumberFormatException e) {
        throw new CelEvaluationException("type conversion error from 'string' to 'double'");
      }
    }
    return value instanceof Double number ? number : CelValues.number(value).doubleValue();
  }

  static String toText(Object value) {
    return switch (value) {
      case Double number -> shown(number);
      case Duration duration -> seconds(duration) + "s";
      case CelBytes bytes -> new String(bytes.array(), StandardCharsets.UTF_8);
      default -> value.toString();
    };
  }

  static String shown(double number) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return Double.isNaN(number) ? "NaN" : number > 0 ? "+Inf" : "-Inf";
    }
    BigDecimal decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    double size = Math.abs(number);
    return size != 0 && (size < 1e-4 || size >= 1e21)
        ? Double.toString(number).replace("E", "e+").replace("e+-", "e-")
        : decimal.toPlainString();
  }

  private static String seconds(Duration duration) {
    BigDecimal exact =
        BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), 9));
    return exact.stripTrailingZeros().toPlainString();
  }

  private static Object toBool(String text) {
    return switch (text) {
      case "1", "t", "T", "true", "TRUE", "True" -> true;
      case "0", "f", "F", "false", "FALSE", "False" -> false;
      default -> throw new CelEvaluationException("type conversion error from 'string' to 'bool'");
    };
  }

  static Duration toDuration(String text) {
    Long nanoseconds = GoDuration.nanoseconds(text);
    if (nanoseconds == null) {
      throw new CelEvaluationException("time: invalid duration \"" + text + "\"");
    }
    return Duration.ofNanos(nanoseconds);
  }

  static Instant toTimestamp(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new CelEvaluationException("parsing time \"" + text + "\": it is not in RFC 3339 form");
    }
  }
}
