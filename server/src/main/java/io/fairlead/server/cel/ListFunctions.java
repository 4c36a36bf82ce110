package io.fairlead.server.cel;

import static io.fairlead.server.cel.CelType.A;
import static io.fairlead.server.cel.CelType.BOOL;
import static io.fairlead.server.cel.CelType.DOUBLE;
import static io.fairlead.server.cel.CelType.DURATION;
import static io.fairlead.server.cel.CelType.DYN;
import static io.fairlead.server.cel.CelType.INT;
import static io.fairlead.server.cel.CelType.UINT;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/// What can be done with lists, also as sets.
final class ListFunctions {
  private static final CelType LIST = CelType.list(A);

  private ListFunctions() {}

  static void addTo(CelFunctions all) {
    all.method("isSorted", BOOL, List.of(LIST), one -> isSorted(list(one, 0)));
    all.method("min", A, List.of(LIST), one -> best(list(one, 0), "min", order -> order < 0));
    all.method("max", A, List.of(LIST), one -> best(list(one, 0), "max", order -> order > 0));
    all.method("sum", INT, List.of(CelType.list(INT)), one -> sum(list(one, 0)));
    all.method("sum", UINT, List.of(CelType.list(UINT)), one -> sum(list(one, 0)));
    all.method("sum", DOUBLE, List.of(CelType.list(DOUBLE)), one -> sum(list(one, 0)));
    all.method("sum", DURATION, List.of(CelType.list(DURATION)), one -> sum(list(one, 0)));
    all.method(
        "indexOf", INT, List.of(LIST, A), both -> indexOf(list(both, 0), both.get(1), false));
    all.method(
        "lastIndexOf", INT, List.of(LIST, A), both -> indexOf(list(both, 0), both.get(1), true));
    all.method("distinct", LIST, List.of(LIST), one -> distinct(list(one, 0)));
    all.method(
        "slice",
        LIST,
        List.of(LIST, INT, INT),
        three -> slice(list(three, 0), (Long) three.get(1), (Long) three.get(2)));
    all.method("flatten", CelType.list(DYN), List.of(LIST), one -> flatten(list(one, 0)));
    sets(all);
  }

  private static void sets(CelFunctions all) {
    List<CelType> two = List.of(LIST, LIST);
    all.function("sets.contains", BOOL, two, both -> containsAll(list(both, 0), list(both, 1)));
    all.function(
        "sets.equivalent",
        BOOL,
        two,
        both ->
            containsAll(list(both, 0), list(both, 1)) && containsAll(list(both, 1), list(both, 0)));
    all.function(
        "sets.intersects",
        BOOL,
        two,
        both -> list(both, 0).stream().anyMatch(each -> contains(list(both, 1), each)));
  }

  private static List<?> list(List<Object> arguments, int at) {
    return (List<?>) arguments.get(at);
  }

  private static boolean contains(List<?> list, Object value) {
    return list.stream().anyMatch(each -> CelValues.same(each, value));
  }

  private static boolean containsAll(List<?> list, List<?> others) {
    return others.stream().allMatch(each -> contains(list, each));
  }

  private static boolean isSorted(List<?> list) {
    for (int at = 1; at < list.size(); at++) {
      if (CelValues.compare(list.get(at - 1), list.get(at)) > 0) {
        return false;
      }
    }
    return true;
  }

  private static Object best(List<?> list, String name, IntPredicate better) {
    if (list.isEmpty()) {
      throw new CelEvaluationException(name + " called on empty list");
    }
    Object best = list.getFirst();
    for (Object each : list) {
      if (better.test(CelValues.compare(each, best))) {
        best = each;
      }
    }
    return best;
  }

  private static Object sum(List<?> list) {
    Object sum = 0L;
    boolean first = true;
    for (Object each : list) {
      sum = first ? each : added(sum, each);
      first = false;
    }
    return sum;
  }

  private static Object added(Object one, Object two) {
    try {
      return switch (one) {
        case Long left when two instanceof Long right -> Math.addExact(left, right);
        case Double left when two instanceof Double right -> left + right;
        case CelUint left when two instanceof CelUint right ->
            new CelUint(left.bits() + right.bits());
        case Duration left when two instanceof Duration right -> left.plus(right);
        default -> throw CelEvaluationException.noOverload();
      };
    } catch (ArithmeticException e) {
      throw new CelEvaluationException("integer overflow");
    }
  }

  private static long indexOf(List<?> list, Object value, boolean last) {
    for (int step = 0; step < list.size(); step++) {
      int at = last ? list.size() - 1 - step : step;
      if (CelValues.same(list.get(at), value)) {
        return at;
      }
    }
    return -1;
  }

  private static List<Object> distinct(List<?> list) {
    List<Object> distinct = new ArrayList<>();
    for (Object each : list) {
      if (!contains(distinct, each)) {
        distinct.add(each);
      }
    }
    return distinct;
  }

  private static List<?> slice(List<?> list, long from, long to) {
    if (from < 0 || to < from || to > list.size()) {
      throw new CelEvaluationException(
          "cannot slice(" + from + ", " + to + "), list is length " + list.size());
    }
    return list.subList((int) from, (int) to);
  }

  private static List<Object> flatten(List<?> list) {
    List<Object> flat = new ArrayList<>();
    for (Object each : list) {
      if (each instanceof List<?> inner) {
        flat.addAll(inner);
      } else {
        flat.add(each);
      }
    }
    return flat;
  }
}
