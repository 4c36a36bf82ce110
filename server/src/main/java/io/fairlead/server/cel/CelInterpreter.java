package io.fairlead.server.cel;

import io.fairlead.server.cel.CelNode.FoldKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Runs a checked expression by walking over it. One object for each run.
final class CelInterpreter {
  private static final long LIST_COST = 10;
  private static final long MAP_COST = 30;
  private static final long OBJECT_COST = 40;

  private final CelFunctions functions = CelFunctions.all();
  private final CelBudget budget;

  CelInterpreter(CelBudget budget) {
    this.budget = budget;
  }

  /// The variables at a place.
  record Scope(@Nullable Scope outer, Map<String, Object> own) {
    @Nullable Object find(String name) {
      Object value = own.get(name);
      return value != null || outer == null ? value : outer.find(name);
    }
  }

  Object run(CelNode node, Scope scope) {
    return switch (node) {
      case CelNode.Literal literal -> literal.value();
      case CelNode.Ident ident -> ident(ident, scope);
      case CelNode.Select select -> select(select, scope);
      case CelNode.Call call -> call(call, scope);
      case CelNode.Items items -> items(items, scope);
      case CelNode.Entries entries -> entries(entries, scope);
      case CelNode.Message message -> message(message, scope);
      case CelNode.Fold fold -> fold(fold, scope);
    };
  }

  private Object ident(CelNode.Ident ident, Scope scope) {
    budget.charge(1);
    Object value = scope.find(ident.name());
    if (value == null) {
      throw new CelEvaluationException("no such attribute(s): " + ident.name());
    }
    return value;
  }

  private Object select(CelNode.Select select, Scope scope) {
    Object operand = run(select.operand(), scope);
    budget.charge(1);
    boolean inOptional = operand instanceof Optional<?>;
    Object of = operand;
    if (operand instanceof Optional<?> optional) {
      if (optional.isEmpty()) {
        return select.test() ? (Object) false : optional;
      }
      of = optional.get();
    }
    if (!(of instanceof Map<?, ?> map)) {
      if (select.optional() || select.test()) {
        throw CelEvaluationException.noOverload();
      }
      throw new CelEvaluationException("no such key: " + select.field());
    }
    Object value = map.get(select.field());
    if (select.test()) {
      return value != null;
    }
    if (select.optional() || inOptional) {
      return Optional.ofNullable(value);
    }
    if (value == null) {
      throw new CelEvaluationException("no such key: " + select.field());
    }
    return value;
  }

  private Object call(CelNode.Call call, Scope scope) {
    switch (call.function()) {
      case "_&&_" -> {
        return logical(call, scope, false);
      }
      case "_||_" -> {
        return logical(call, scope, true);
      }
      case "_?_:_" -> {
        boolean condition = truth(run(call.arguments().get(0), scope));
        return run(call.arguments().get(condition ? 1 : 2), scope);
      }
      default -> {}
    }
    List<Object> arguments = new ArrayList<>(call.arguments().size() + 1);
    if (call.target() != null) {
      arguments.add(run(call.target(), scope));
    }
    for (CelNode argument : call.arguments()) {
      arguments.add(run(argument, scope));
    }
    budget.charge(1);
    if (call.function().equals("_[_]") || call.function().equals("_[?_]")) {
      return element(arguments.get(0), arguments.get(1), call.function().equals("_[?_]"));
    }
    CelCosts.charge(call.function(), arguments, budget);
    boolean method = call.target() != null;
    for (CelFunction function : functions.named(call.function())) {
      if (function.method() == method && function.takes(arguments)) {
        return function.body().apply(arguments);
      }
    }
    throw CelEvaluationException.noOverload();
  }

  /// An error on one side does not matter when the other side decides.
  private Object logical(CelNode.Call call, Scope scope, boolean decides) {
    CelEvaluationException failed = null;
    for (CelNode side : call.arguments()) {
      try {
        if (truth(run(side, scope)) == decides) {
          return decides;
        }
      } catch (CelBudgetException e) {
        throw e;
      } catch (CelEvaluationException e) {
        failed = failed == null ? e : failed;
      }
    }
    if (failed != null) {
      throw failed;
    }
    return !decides;
  }

  private static boolean truth(Object value) {
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw CelEvaluationException.noOverload();
  }

  private static Object element(Object of, Object index, boolean optional) {
    boolean wraps = optional || of instanceof Optional<?>;
    Object holder = of;
    if (of instanceof Optional<?> outer) {
      if (outer.isEmpty()) {
        return outer;
      }
      holder = outer.get();
    }
    Object found = null;
    if (holder instanceof Map<?, ?> map) {
      found = CelValues.get(map, index);
      if (found == null && !wraps) {
        throw new CelEvaluationException("no such key: " + index);
      }
    } else if (holder instanceof List<?> list) {
      long place = index instanceof Long number ? number : CelValues.number(index).longValue();
      if (place >= 0 && place < list.size()) {
        found = list.get((int) place);
      } else if (!wraps) {
        throw new CelEvaluationException("index out of bounds: " + place);
      }
    } else {
      throw CelEvaluationException.noOverload();
    }
    return wraps ? Optional.ofNullable(found) : java.util.Objects.requireNonNull(found);
  }

  private Object items(CelNode.Items items, Scope scope) {
    budget.charge(LIST_COST);
    List<Object> list = new ArrayList<>(items.items().size());
    for (int at = 0; at < items.items().size(); at++) {
      Object value = run(items.items().get(at), scope);
      if (!items.optional().get(at)) {
        list.add(value);
      } else if (value instanceof Optional<?> given) {
        given.ifPresent(list::add);
      }
    }
    return list;
  }

  private Object entries(CelNode.Entries entries, Scope scope) {
    budget.charge(MAP_COST);
    Map<Object, Object> map = new LinkedHashMap<>();
    for (CelNode.Entry entry : entries.entries()) {
      Object key = run(entry.key(), scope);
      Object value = run(entry.value(), scope);
      if (entry.optional()) {
        if (value instanceof Optional<?> given && given.isPresent()) {
          map.put(key, given.get());
        }
      } else if (map.put(key, value) != null) {
        throw new CelEvaluationException("insert failed: key " + key + " already exists");
      }
    }
    return map;
  }

  private Object message(CelNode.Message message, Scope scope) {
    budget.charge(OBJECT_COST);
    Map<String, Object> members = new LinkedHashMap<>();
    for (CelNode.Member member : message.members()) {
      Object value = run(member.value(), scope);
      if (!member.optional()) {
        members.put(member.name(), value);
      } else if (value instanceof Optional<?> given) {
        given.ifPresent(one -> members.put(member.name(), one));
      }
    }
    return new CelObject(message.type(), members);
  }

  private Object fold(CelNode.Fold fold, Scope scope) {
    Object range = run(fold.range(), scope);
    if (fold.kind() == FoldKind.OPT_MAP || fold.kind() == FoldKind.OPT_FLAT_MAP) {
      return inside(fold, range, scope);
    }
    List<Object[]> steps = steps(range, !fold.second().isEmpty());
    Function<Object[], Scope> inner =
        step ->
            new Scope(
                scope,
                fold.second().isEmpty()
                    ? Map.of(fold.first(), step[0])
                    : Map.of(fold.first(), step[0], fold.second(), step[1]));
    budget.charge(1);
    return switch (fold.kind()) {
      case ALL -> any(fold, steps, inner, false);
      case EXISTS -> any(fold, steps, inner, true);
      case EXISTS_ONE -> {
        int count = 0;
        for (Object[] step : steps) {
          budget.charge(1);
          count += truth(run(fold.body(), inner.apply(step))) ? 1 : 0;
        }
        yield count == 1;
      }
      case TRANSFORM_MAP -> {
        Map<Object, Object> result = new LinkedHashMap<>();
        each(fold, steps, inner, (step, value) -> result.put(step[0], value));
        yield result;
      }
      default -> {
        List<Object> result = new ArrayList<>();
        each(
            fold,
            steps,
            inner,
            (step, value) -> {
              if (fold.kind() != FoldKind.FILTER) {
                result.add(value);
              } else if (truth(value)) {
                result.add(step[0]);
              }
            });
        yield result;
      }
    };
  }

  /// Takes an element and what the body made of it.
  private interface Taker {
    void take(Object[] step, Object value);
  }

  private void each(
      CelNode.Fold fold, List<Object[]> steps, Function<Object[], Scope> inner, Taker taker) {
    for (Object[] step : steps) {
      budget.charge(1);
      Scope scope = inner.apply(step);
      if (fold.filter() == null || truth(run(fold.filter(), scope))) {
        taker.take(step, run(fold.body(), scope));
      }
    }
  }

  private Object any(
      CelNode.Fold fold, List<Object[]> steps, Function<Object[], Scope> inner, boolean decides) {
    CelEvaluationException failed = null;
    for (Object[] step : steps) {
      budget.charge(1);
      try {
        if (truth(run(fold.body(), inner.apply(step))) == decides) {
          return decides;
        }
      } catch (CelBudgetException e) {
        throw e;
      } catch (CelEvaluationException e) {
        failed = failed == null ? e : failed;
      }
    }
    if (failed != null) {
      throw failed;
    }
    return !decides;
  }

  private Object inside(CelNode.Fold fold, Object range, Scope scope) {
    if (!(range instanceof Optional<?> optional)) {
      throw CelEvaluationException.noOverload();
    }
    if (optional.isEmpty()) {
      return optional;
    }
    Object value = run(fold.body(), new Scope(scope, Map.of(fold.first(), optional.get())));
    return fold.kind() == FoldKind.OPT_FLAT_MAP ? value : Optional.of(value);
  }

  /// What the variables are at each step: item, or key; or index and item, or key and value.
  private static List<Object[]> steps(Object range, boolean two) {
    List<Object[]> steps = new ArrayList<>();
    if (range instanceof Map<?, ?> map) {
      map.forEach((key, value) -> steps.add(new Object[] {key, value}));
    } else if (range instanceof List<?> list) {
      long index = 0;
      for (Object item : list) {
        steps.add(two ? new Object[] {index, item} : new Object[] {item, item});
        index++;
      }
    } else {
      throw CelEvaluationException.noOverload();
    }
    return steps;
  }
}
