package io.fairlead.server.cel;

import io.fairlead.server.cel.CelType.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What functions cost beyond one step: texts and lists are walked, and a regular expression costs
/// its length for every part of the text.
///
/// The estimate takes for each value the largest it can be ([CelType#maxSize()]) and adds up what
/// every part costs then; a walk multiplies what is inside. It is what Kubernetes judges rules by
/// when they are defined, so it follows the same numbers.
final class CelCosts {
  private static final double WALK = 0.1;
  private static final double REGEX = 0.25;
  private static final double MOST = 1e18;

  /// Asking whether something is allowed.
  private static final double AUTHORIZATION = 350_000;

  private static final Set<String> PATTERNS = Set.of("matches", "find", "findAll");
  private static final Set<String> BOTH =
      Set.of(
          "contains",
          "indexOf",
          "lastIndexOf",
          "replace",
          "split",
          "sets.contains",
          "sets.equivalent",
          "sets.intersects");
  private static final Set<String> EVERY_PAIR =
      Set.of("sets.contains", "sets.equivalent", "sets.intersects");
  private static final Set<String> WALKED =
      Set.of(
          "startsWith",
          "endsWith",
          "lowerAscii",
          "upperAscii",
          "trim",
          "substring",
          "charAt",
          "join",
          "isSorted",
          "sum",
          "min",
          "max",
          "url",
          "isURL",
          "ip",
          "isIP",
          "cidr",
          "isCIDR",
          "quantity",
          "isQuantity",
          "semver",
          "isSemver",
          "validate",
          "string",
          "bytes",
          "timestamp",
          "duration",
          "reverse",
          "distinct",
          "format",
          "strings.quote");

  private CelCosts() {}

  /// Pays for a call.
  static void charge(String function, List<Object> arguments, CelBudget budget) {
    if (arguments.isEmpty()) {
      return;
    }
    double[] sizes = arguments.stream().mapToDouble(CelValues::size).toArray();
    budget.charge((long) Math.min(MOST, beyond(function, sizes, isWalked(arguments.getFirst()))));
    budget.charge((long) Math.min(MOST, Math.ceil(growth(function, arguments, sizes) * WALK)));
  }

  /// By how much a text becomes longer than all that it is made of. Kubernetes does not count it;
  /// but two texts of a hundred thousand characters would become one of ten thousand million.
  private static double growth(String function, List<Object> arguments, double[] sizes) {
    double made =
        switch (function) {
          case "replace" -> replaced(arguments, sizes);
          case "join" -> texts(arguments.getFirst()) + (sizes.length > 1 ? sizes[0] * sizes[1] : 0);
          case "format" -> sizes.length > 1 ? texts(arguments.get(1)) : 0;
          default -> 0;
        };
    return Math.max(0, made - Arrays.stream(sizes).sum());
  }

  private static double replaced(List<Object> arguments, double[] sizes) {
    if (arguments.size() < 3
        || !(arguments.get(0) instanceof String text)
        || !(arguments.get(1) instanceof String old)) {
      return 0;
    }
    long times = 0;
    int step = Math.max(1, old.length());
    for (int at = text.indexOf(old);
        at >= 0 && times <= text.length();
        at = text.indexOf(old, at + step)) {
      times++;
    }
    if (arguments.size() > 3 && arguments.get(3) instanceof Long most && most >= 0) {
      times = Math.min(times, most);
    }
    return sizes[0] + times * (sizes[2] - sizes[1]);
  }

  /// How long the texts of a list are together.
  private static double texts(Object list) {
    double sum = 0;
    if (list instanceof List<?> parts) {
      for (Object part : parts) {
        sum += part instanceof String || part instanceof CelBytes ? CelValues.size(part) : 1;
      }
    }
    return sum;
  }

  private static boolean isWalked(Object value) {
    return value instanceof String || value instanceof CelBytes || value instanceof List<?>;
  }

  private static double beyond(String function, double[] sizes, boolean walked) {
    if (function.equals("check")) {
      return AUTHORIZATION;
    }
    double first = sizes[0];
    double second = sizes.length > 1 ? sizes[1] : 0;
    if (PATTERNS.contains(function)) {
      return Math.ceil((first + 1) * WALK) * Math.max(1, Math.ceil(second * REGEX));
    }
    if (EVERY_PAIR.contains(function)) {
      return first * second;
    }
    if (BOTH.contains(function)) {
      return Math.ceil(first * WALK) * Math.max(1, Math.ceil(second * WALK));
    }
    if (function.equals("startsWith") || function.equals("endsWith")) {
      return Math.ceil(second * WALK);
    }
    if (!walked) {
      return function.equals("@in") ? second : 0;
    }
    return switch (function) {
      case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_" ->
          Math.ceil(Math.min(first, second) * WALK);
      case "_+_" -> Math.ceil((first + second) * WALK);
      case "@in" -> second;
      default -> WALKED.contains(function) ? Math.ceil(first * WALK) : 0;
    };
  }

  /// The result of a call with the most it can be.
  static CelType sized(CelType result, String function, List<CelType> given) {
    if (given.isEmpty()) {
      return result;
    }
    long first = given.getFirst().maxSize();
    return switch (function) {
      case "_+_" -> given.size() > 1 ? result.atMost(first + given.get(1).maxSize()) : result;
      case "lowerAscii",
          "upperAscii",
          "trim",
          "substring",
          "find",
          "distinct",
          "slice",
          "reverse" ->
          result.atMost(first);
      case "charAt" -> result.atMost(1);
      case "split", "findAll" -> result.atMost(first + 1);
      case "string" ->
          given.getFirst().kind() == Kind.STRING || given.getFirst().kind() == Kind.BYTES
              ? result.atMost(first)
              : result.atMost(64);
      default -> result;
    };
  }

  /// The most that a run can cost.
  static double estimate(CelChecker.Checked checked) {
    return Math.min(MOST, estimate(checked.node(), checked.types()));
  }

  private static double estimate(CelNode node, Map<CelNode, CelType> types) {
    return switch (node) {
      case CelNode.Literal _ -> 0;
      case CelNode.Ident _ -> 1;
      case CelNode.Select select -> 1 + estimate(select.operand(), types);
      case CelNode.Call call -> call(call, types);
      case CelNode.Items items ->
          10 + items.items().stream().mapToDouble(each -> estimate(each, types)).sum();
      case CelNode.Entries entries ->
          30
              + entries.entries().stream()
                  .mapToDouble(each -> estimate(each.key(), types) + estimate(each.value(), types))
                  .sum();
      case CelNode.Message message ->
          40 + message.members().stream().mapToDouble(each -> estimate(each.value(), types)).sum();
      case CelNode.Fold fold -> {
        double times = size(fold.range(), types);
        double inner =
            1
                + estimate(fold.body(), types)
                + (fold.filter() == null ? 0 : estimate(fold.filter(), types));
        boolean once = types.getOrDefault(fold.range(), CelType.DYN).kind() == Kind.OPTIONAL;
        yield 1 + estimate(fold.range(), types) + (once ? 1 : times) * inner;
      }
    };
  }

  private static double call(CelNode.Call call, Map<CelNode, CelType> types) {
    double cost = 0;
    if (call.target() != null) {
      cost += estimate(call.target(), types);
    }
    if (call.function().equals("_?_:_")) {
      return cost
          + estimate(call.arguments().get(0), types)
          + Math.max(
              estimate(call.arguments().get(1), types), estimate(call.arguments().get(2), types));
    }
    for (CelNode argument : call.arguments()) {
      cost += estimate(argument, types);
    }
    if (call.function().equals("_&&_") || call.function().equals("_||_")) {
      return cost;
    }
    double[] sizes =
        java.util.stream.Stream.concat(
                java.util.stream.Stream.ofNullable(call.target()), call.arguments().stream())
            .mapToDouble(each -> size(each, types))
            .toArray();
    if (sizes.length == 0) {
      return cost + 1;
    }
    CelNode first = call.target() == null ? call.arguments().getFirst() : call.target();
    Kind kind = types.getOrDefault(first, CelType.DYN).kind();
    boolean walked = kind == Kind.STRING || kind == Kind.BYTES || kind == Kind.LIST;
    return cost + 1 + beyond(call.function(), sizes, walked);
  }

  private static double size(CelNode node, Map<CelNode, CelType> types) {
    CelType type = types.getOrDefault(node, CelType.DYN);
    return switch (type.kind()) {
      case STRING, BYTES, LIST, MAP, DYN -> type.maxSize();
      default -> 1;
    };
  }
}
