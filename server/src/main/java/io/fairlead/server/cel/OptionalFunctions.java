package io.fairlead.server.cel;

import static io.fairlead.server.cel.CelType.A;
import static io.fairlead.server.cel.CelType.BOOL;

import java.util.List;
import java.util.Optional;

/// Values that may be missing.
final class OptionalFunctions {
  private static final CelType OPTIONAL = CelType.optional(A);

  private OptionalFunctions() {}

  static void addTo(CelFunctions all) {
    all.function("optional.none", OPTIONAL, List.of(), _ -> Optional.empty());
    all.function("optional.of", OPTIONAL, List.of(A), one -> Optional.of(one.get(0)));
    all.function(
        "optional.ofNonZeroValue",
        OPTIONAL,
        List.of(A),
        one -> isZero(one.get(0)) ? Optional.empty() : Optional.of(one.get(0)));
    all.method("hasValue", BOOL, List.of(OPTIONAL), one -> ((Optional<?>) one.get(0)).isPresent());
    all.method(
        "value",
        A,
        List.of(OPTIONAL),
        one -> {
          if (one.get(0) instanceof Optional<?> optional && optional.isPresent()) {
            return optional.get();
          }
          throw new CelEvaluationException("optional.none() dereference");
        });
    all.method(
        "orValue",
        A,
        List.of(OPTIONAL, A),
        both ->
            both.get(0) instanceof Optional<?> optional && optional.isPresent()
                ? optional.get()
                : both.get(1));
    all.method(
        "or",
        OPTIONAL,
        List.of(OPTIONAL, OPTIONAL),
        both ->
            both.get(0) instanceof Optional<?> optional && optional.isPresent()
                ? optional
                : both.get(1));
  }

  private static boolean isZero(Object value) {
    return value.equals(CelValues.NULL)
        || value.equals(false)
        || (CelValues.isNumber(value) && CelValues.compareNumbers(value, 0L) == 0)
        || (value instanceof String text && text.isEmpty())
        || (value instanceof List<?> list && list.isEmpty())
        || (value instanceof java.util.Map<?, ?> map && map.isEmpty());
  }
}
