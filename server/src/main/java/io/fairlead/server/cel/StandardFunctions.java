package io.fairlead.server.cel;

import static io.fairlead.server.cel.CelType.A;
import static io.fairlead.server.cel.CelType.B;
import static io.fairlead.server.cel.CelType.BOOL;
import static io.fairlead.server.cel.CelType.BYTES;
import static io.fairlead.server.cel.CelType.DOUBLE;
import static io.fairlead.server.cel.CelType.DURATION;
import static io.fairlead.server.cel.CelType.INT;
import static io.fairlead.server.cel.CelType.STRING;
import static io.fairlead.server.cel.CelType.TIMESTAMP;
import static io.fairlead.server.cel.CelType.UINT;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.LongBinaryOperator;

/// The operators and the size of things. Logic and look-ups are the interpreter's own.
final class StandardFunctions {
  private static final List<CelType> ORDERED =
      List.of(BOOL, INT, UINT, DOUBLE, STRING, BYTES, DURATION, TIMESTAMP);
  private static final List<CelType> NUMBERS = List.of(INT, UINT, DOUBLE);

  private StandardFunctions() {}

  static void addTo(CelFunctions all) {
    all.function("_==_", BOOL, List.of(A, A), both -> CelValues.same(both.get(0), both.get(1)));
    all.function("_!=_", BOOL, List.of(A, A), both -> !CelValues.same(both.get(0), both.get(1)));
    relation(all, "_<_", compared -> compared < 0);
    relation(all, "_<=_", compared -> compared <= 0);
    relation(all, "_>_", compared -> compared > 0);
    relation(all, "_>=_", compared -> compared >= 0);
    all.function("!_", BOOL, List.of(BOOL), one -> !(Boolean) one.get(0));
    integers(all, "_+_", Math::addExact);
    integers(all, "_-_", Math::subtractExact);
    integers(all, "_*_", Math::multiplyExact);
    integers(all, "_/_", StandardFunctions::divide);
    integers(all, "_%_", StandardFunctions::remainder);
    all.function("-_", INT, List.of(INT), one -> exact(0L, (Long) one.get(0), Math::subtractExact));
    all.function("-_", DOUBLE, List.of(DOUBLE), one -> -(Double) one.get(0));
    unsigned(all);
    doubles(all);
    all.function(
        "_+_", STRING, List.of(STRING, STRING), both -> both.get(0) + (String) both.get(1));
    all.function("_+_", BYTES, List.of(BYTES, BYTES), both -> joined(both));
    all.function(
        "_+_",
        CelType.list(A),
        List.of(CelType.list(A), CelType.list(A)),
        both -> {
          List<Object> sum = new ArrayList<>((List<?>) both.get(0));
          sum.addAll((List<?>) both.get(1));
          return sum;
        });
    times(all);
    all.function(
        "@in",
        BOOL,
        List.of(A, CelType.list(A)),
        both ->
            ((List<?>) both.get(1)).stream().anyMatch(item -> CelValues.same(item, both.get(0))));
    all.function(
        "@in",
        BOOL,
        List.of(A, CelType.map(A, B)),
        both -> CelValues.get((Map<?, ?>) both.get(1), both.get(0)) != null);
    sizes(all);
  }

  private static void relation(CelFunctions all, String name, IntPredicate holds) {
    CelFunction.Body body = both -> holds.test(CelValues.compare(both.get(0), both.get(1)));
    for (CelType type : ORDERED) {
      all.function(name, BOOL, List.of(type, type), body);
    }
    for (CelType left : NUMBERS) {
      for (CelType right : NUMBERS) {
        if (!left.equals(right)) {
          all.function(name, BOOL, List.of(left, right), body);
        }
      }
    }
  }

  private static void integers(CelFunctions all, String name, LongBinaryOperator operator) {
    all.function(
        name,
        INT,
        List.of(INT, INT),
        both -> exact((Long) both.get(0), (Long) both.get(1), operator));
  }

  private static long exact(long left, long right, LongBinaryOperator operator) {
    try {
      return operator.applyAsLong(left, right);
    } catch (ArithmeticException e) {
      throw new CelEvaluationException("integer overflow");
    }
  }

  private static long divide(long left, long right) {
    if (right == 0) {
      throw new CelEvaluationException("division by zero");
    }
    return Math.divideExact(left, right);
  }

  private static long remainder(long left, long right) {
    if (right == 0) {
      throw new CelEvaluationException("modulus by zero");
    }
    return left % right;
  }

  private static void unsigned(CelFunctions all) {
    unsigned(all, "_+_", Long::sum);
    unsigned(all, "_-_", (left, right) -> left - right);
    unsigned(all, "_*_", (left, right) -> left * right);
    unsigned(
        all,
        "_/_",
        (left, right) -> {
          if (right == 0) {
            throw new CelEvaluationException("division by zero");
          }
          return Long.divideUnsigned(left, right);
        });
    unsigned(
        all,
        "_%_",
        (left, right) -> {
          if (right == 0) {
            throw new CelEvaluationException("modulus by zero");
          }
          return Long.remainderUnsigned(left, right);
        });
  }

  private static void unsigned(CelFunctions all, String name, LongBinaryOperator operator) {
    all.function(
        name,
        UINT,
        List.of(UINT, UINT),
        both ->
            new CelUint(
                operator.applyAsLong(
                    ((CelUint) both.get(0)).bits(), ((CelUint) both.get(1)).bits())));
  }

  private static void doubles(CelFunctions all) {
    List<CelType> two = List.of(DOUBLE, DOUBLE);
    all.function("_+_", DOUBLE, two, both -> (Double) both.get(0) + (Double) both.get(1));
    all.function("_-_", DOUBLE, two, both -> (Double) both.get(0) - (Double) both.get(1));
    all.function("_*_", DOUBLE, two, both -> (Double) both.get(0) * (Double) both.get(1));
    all.function("_/_", DOUBLE, two, both -> (Double) both.get(0) / (Double) both.get(1));
  }

  private static CelBytes joined(List<Object> both) {
    byte[] left = ((CelBytes) both.get(0)).array();
    byte[] right = ((CelBytes) both.get(1)).array();
    byte[] sum = java.util.Arrays.copyOf(left, left.length + right.length);
    System.arraycopy(right, 0, sum, left.length, right.length);
    return new CelBytes(sum);
  }

  private static void times(CelFunctions all) {
    all.function(
        "_+_",
        DURATION,
        List.of(DURATION, DURATION),
        both -> within(() -> ((Duration) both.get(0)).plus((Duration) both.get(1))));
    all.function(
        "_-_",
        DURATION,
        List.of(DURATION, DURATION),
        both -> within(() -> ((Duration) both.get(0)).minus((Duration) both.get(1))));
    all.function(
        "_+_",
        TIMESTAMP,
        List.of(TIMESTAMP, DURATION),
        both -> within(() -> ((Instant) both.get(0)).plus((Duration) both.get(1))));
    all.function(
        "_+_",
        TIMESTAMP,
        List.of(DURATION, TIMESTAMP),
        both -> within(() -> ((Instant) both.get(1)).plus((Duration) both.get(0))));
    all.function(
        "_-_",
        TIMESTAMP,
        List.of(TIMESTAMP, DURATION),
        both -> within(() -> ((Instant) both.get(0)).minus((Duration) both.get(1))));
    all.function(
        "_-_",
        DURATION,
        List.of(TIMESTAMP, TIMESTAMP),
        both -> within(() -> Duration.between((Instant) both.get(1), (Instant) both.get(0))));
  }

  private static Object within(java.util.function.Supplier<Object> computed) {
    try {
      return computed.get();
    } catch (DateTimeException | ArithmeticException e) {
      throw new CelEvaluationException("timestamp overflow");
    }
  }

  private static void sizes(CelFunctions all) {
    for (CelType type : List.of(BYTES, CelType.list(A), CelType.map(A, B))) {
      all.function("size", INT, List.of(type), one -> CelValues.size(one.get(0)));
      all.method("size", INT, List.of(type), one -> CelValues.size(one.get(0)));
    }
    CelFunction.Body length =
        one -> {
          String text = (String) one.get(0);
          return (long) text.codePointCount(0, text.length());
        };
    all.function("size", INT, List.of(STRING), length);
    all.method("size", INT, List.of(STRING), length);
  }
}
