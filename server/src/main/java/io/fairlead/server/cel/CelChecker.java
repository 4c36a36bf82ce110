package io.fairlead.server.cel;

import io.fairlead.server.cel.CelNode.FoldKind;
import io.fairlead.server.cel.CelType.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds what cannot work before an expression runs: unknown names, functions of other types.
///
/// How it works: one walk from the leaves up gives every part a type. A call needs an overload
/// whose parameters its arguments fit; `dyn` fits everything. Where a name such as `sets.contains`
/// is a function, the call is rewritten to one without a target. The types are kept for the
/// estimate of the cost.
final class CelChecker {
  private static final Set<String> TYPE_NAMES =
      Set.of(
          "bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type");

  private final String text;
  private final CelObjectTypes objects;
  private final CelFunctions functions = CelFunctions.all();
  private final Map<CelNode, CelType> types = new IdentityHashMap<>();
  private final Set<String> used = new TreeSet<>();

  private CelChecker(String text, CelObjectTypes objects) {
    this.text = text;
    this.objects = objects;
  }

  /// An expression that was checked.
  ///
  /// @param types what is known of each of its parts
  /// @param used the variables it uses
  record Checked(CelNode node, Map<CelNode, CelType> types, Set<String> used) {
    CelType type() {
      return types.getOrDefault(node, CelType.DYN);
    }
  }

  static Checked check(String text, CelNode node, CelEnvironment environment) {
    CelChecker checker = new CelChecker(text, environment.objects());
    CelNode checked = checker.visit(node, new Names(null, environment.variables()));
    return new Checked(checked, checker.types, checker.used);
  }

  /// The variables that are known at a place.
  private record Names(@Nullable Names outer, Map<String, CelType> own) {
    @Nullable CelType find(String name) {
      CelType type = own.get(name);
      return type != null || outer == null ? type : outer.find(name);
    }

    Names with(Map<String, CelType> inner) {
      return new Names(this, inner);
    }
  }

  private CelCompileException fault(int at, String why) {
    return CelCompileException.at(text, at, why);
  }

  private CelNode typed(CelNode node, CelType type) {
    types.put(node, type);
    return node;
  }

  private CelType type(CelNode node) {
    return types.getOrDefault(node, CelType.DYN);
  }

  private CelNode visit(CelNode node, Names names) {
    return switch (node) {
      case CelNode.Literal literal -> typed(literal, ofValue(literal.value()));
      case CelNode.Ident ident -> ident(ident, names);
      case CelNode.Select select -> select(select, names);
      case CelNode.Call call -> call(call, names);
      case CelNode.Items items -> items(items, names);
      case CelNode.Entries entries -> entries(entries, names);
      case CelNode.Message message -> message(message, names);
      case CelNode.Fold fold -> fold(fold, names);
    };
  }

  private static CelType ofValue(Object value) {
    return switch (value) {
      case Boolean _ -> CelType.BOOL;
      case Long _ -> CelType.INT;
      case CelUint _ -> CelType.UINT;
      case Double _ -> CelType.DOUBLE;
      case String text -> CelType.STRING.atMost(text.length());
      case CelBytes bytes -> CelType.BYTES.atMost(bytes.size());
      default -> CelType.NULL;
    };
  }

  private CelNode ident(CelNode.Ident ident, Names names) {
    CelType type = names.find(ident.name());
    if (type != null) {
      used.add(ident.name());
      return typed(ident, type);
    }
    if (TYPE_NAMES.contains(ident.name())) {
      return typed(
          new CelNode.Literal(ident.at(), new CelValues.TypeValue(ident.name())), CelType.TYPE);
    }
    throw fault(ident.at(), "undeclared reference to '" + ident.name() + "' (in container '')");
  }

  private CelNode select(CelNode.Select select, Names names) {
    String dotted = CelParser.dotted(select);
    CelType whole = select.test() ? null : names.find(dotted);
    if (whole != null) {
      used.add(dotted);
      return typed(new CelNode.Ident(select.at(), dotted), whole);
    }
    if (dotted.equals("google.protobuf.Timestamp") || dotted.equals("google.protobuf.Duration")) {
      return typed(new CelNode.Literal(select.at(), new CelValues.TypeValue(dotted)), CelType.TYPE);
    }
    CelNode operand = visit(select.operand(), names);
    CelType of = type(operand);
    boolean inOptional = of.kind() == Kind.OPTIONAL;
    if (inOptional) {
      of = of.parameter(0);
    }
    CelType member =
        switch (of.kind()) {
          case OBJECT -> of.member(select.field());
          case MAP -> of.parameter(1);
          case DYN, PARAMETER -> CelType.DYN;
          default -> throw fault(select.at(), "type '" + of + "' does not support field selection");
        };
    if (member == null) {
      throw fault(select.at(), "undefined field '" + select.field() + "'");
    }
    CelNode checked =
        new CelNode.Select(select.at(), operand, select.field(), select.test(), select.optional());
    if (select.test()) {
      return typed(checked, CelType.BOOL);
    }
    return typed(checked, select.optional() || inOptional ? CelType.optional(member) : member);
  }

  private CelNode call(CelNode.Call call, Names names) {
    CelNode target = call.target();
    if (target instanceof CelNode.Ident(int _, String space)
        && names.find(space) == null
        && !functions.named(space + "." + call.function()).isEmpty()) {
      return call(
          new CelNode.Call(call.at(), space + "." + call.function(), null, call.arguments()),
          names);
    }
    List<CelNode> arguments = new ArrayList<>();
    if (target != null) {
      arguments.add(visit(target, names));
    }
    call.arguments().forEach(argument -> arguments.add(visit(argument, names)));
    List<CelNode> rest = target == null ? arguments : arguments.subList(1, arguments.size());
    CelNode checked =
        new CelNode.Call(
            call.at(), call.function(), target == null ? null : arguments.getFirst(), rest);
    return typed(checked, result(call, arguments));
  }

  private CelType result(CelNode.Call call, List<CelNode> arguments) {
    List<CelType> given = arguments.stream().map(this::type).toList();
    switch (call.function()) {
      case "_&&_", "_||_" -> {
        if (given.stream().allMatch(each -> each.fits(CelType.BOOL, new HashMap<>()))) {
          return CelType.BOOL;
        }
        throw noOverload(call, given);
      }
      case "_?_:_" -> {
        Map<String, CelType> bound = new HashMap<>();
        if (given.get(0).fits(CelType.BOOL, bound)
            && given.get(1).fits(CelType.A, bound)
            && given.get(2).fits(CelType.A, bound)) {
          return larger(given.get(1), given.get(2));
        }
        throw noOverload(call, given);
      }
      case "_[_]", "_[?_]" -> {
        CelType found = element(call, given);
        return call.function().equals("_[?_]") || given.get(0).kind() == Kind.OPTIONAL
            ? CelType.optional(found)
            : found;
      }
      default -> {}
    }
    return overload(call, given);
  }

  private static CelType larger(CelType one, CelType two) {
    if (one.kind() == Kind.NULL || one.isDyn()) {
      return one.isDyn() ? one : two;
    }
    return two.maxSize() > one.maxSize() && one.kind() == two.kind() ? two : one;
  }

  private CelType element(CelNode.Call call, List<CelType> given) {
    CelType of = given.get(0).kind() == Kind.OPTIONAL ? given.get(0).parameter(0) : given.get(0);
    CelType index = given.get(1);
    return switch (of.kind()) {
      case DYN, PARAMETER -> CelType.DYN;
      case LIST -> {
        if (!index.isDyn() && index.kind() != Kind.INT) {
          throw noOverload(call, given);
        }
        yield of.parameter(0);
      }
      case MAP -> {
        if (!index.fits(of.parameter(0), new HashMap<>())) {
          throw noOverload(call, given);
        }
        yield of.parameter(1);
      }
      default -> throw noOverload(call, given);
    };
  }

  private CelType overload(CelNode.Call call, List<CelType> given) {
    List<CelFunction> overloads = functions.named(call.function());
    if (overloads.isEmpty()) {
      throw fault(call.at(), "undeclared reference to '" + call.function() + "' (in container '')");
    }
    boolean method = call.target() != null;
    CelType found = null;
    for (CelFunction overload : overloads) {
      Map<String, CelType> bound = new HashMap<>();
      if (overload.method() == method && takes(overload, given, bound)) {
        CelType result = overload.result().with(bound);
        // Arguments of a type that is not known may fit several.
        found = found == null || found.equals(result) ? result : CelType.DYN;
      }
    }
    if (found == null) {
      throw noOverload(call, given);
    }
    return CelCosts.sized(found, call.function(), given);
  }

  private static boolean takes(
      CelFunction overload, List<CelType> given, Map<String, CelType> bound) {
    if (given.size() != overload.parameters().size()) {
      return false;
    }
    for (int at = 0; at < given.size(); at++) {
      if (!given.get(at).fits(overload.parameters().get(at), bound)) {
        return false;
      }
    }
    return true;
  }

  private CelCompileException noOverload(CelNode.Call call, List<CelType> given) {
    boolean method = call.target() != null;
    String arguments =
        given.stream()
            .skip(method ? 1 : 0)
            .map(CelType::toString)
            .collect(Collectors.joining(", "));
    return fault(
        call.at(),
        "found no matching overload for '"
            + call.function()
            + "' applied to '"
            + (method ? given.getFirst() + "." : "")
            + "("
            + arguments
            + ")'");
  }

  private CelNode items(CelNode.Items items, Names names) {
    List<CelNode> checked = new ArrayList<>();
    CelType element = null;
    for (CelNode item : items.items()) {
      CelNode one = visit(item, names);
      checked.add(one);
      element = common(element, type(one));
    }
    CelType type = CelType.list(element == null ? CelType.DYN : element).atMost(checked.size());
    return typed(new CelNode.Items(items.at(), checked, items.optional()), type);
  }

  private static CelType common(@Nullable CelType one, CelType two) {
    return one == null || one.fits(two, new HashMap<>()) ? two : CelType.DYN;
  }

  private CelNode entries(CelNode.Entries entries, Names names) {
    List<CelNode.Entry> checked = new ArrayList<>();
    CelType key = null;
    CelType value = null;
    for (CelNode.Entry entry : entries.entries()) {
      CelNode oneKey = visit(entry.key(), names);
      CelNode oneValue = visit(entry.value(), names);
      checked.add(new CelNode.Entry(oneKey, oneValue, entry.optional()));
      key = common(key, type(oneKey));
      value = common(value, type(oneValue));
    }
    CelType type =
        CelType.map(key == null ? CelType.DYN : key, value == null ? CelType.DYN : value)
            .atMost(checked.size());
    return typed(new CelNode.Entries(entries.at(), checked), type);
  }

  private CelNode message(CelNode.Message message, Names names) {
    CelType type = objects.find(message.type());
    if (type == null) {
      throw fault(
          message.at(), "undeclared reference to '" + message.type() + "' (in container '')");
    }
    List<CelNode.Member> checked = new ArrayList<>();
    for (CelNode.Member member : message.members()) {
      CelNode value = visit(member.value(), names);
      CelType known = type.member(member.name());
      CelType wanted = known == null || !member.optional() ? known : CelType.optional(known);
      if (wanted == null || !type(value).fits(wanted)) {
        throw fault(
            member.at(),
            "expected type of field '"
                + member.name()
                + "' is '"
                + (wanted == null ? "" : wanted)
                + "' but provided type is '"
                + type(value)
                + "'");
      }
      checked.add(new CelNode.Member(member.at(), member.name(), value, member.optional()));
    }
    return typed(new CelNode.Message(message.at(), message.type(), checked), type);
  }

  private CelNode fold(CelNode.Fold fold, Names names) {
    CelNode range = visit(fold.range(), names);
    CelType over = type(range);
    Names inner = names.with(variables(fold, over));
    CelNode filter = fold.filter() == null ? null : visit(fold.filter(), inner);
    CelNode body = visit(fold.body(), inner);
    boolean logical =
        fold.kind() == FoldKind.ALL
            || fold.kind() == FoldKind.EXISTS
            || fold.kind() == FoldKind.EXISTS_ONE
            || fold.kind() == FoldKind.FILTER;
    if (logical && !type(body).fits(CelType.BOOL, new HashMap<>())) {
      throw fault(body.at(), "expected type 'bool' but found '" + type(body) + "'");
    }
    CelType result =
        switch (fold.kind()) {
          case ALL, EXISTS, EXISTS_ONE -> CelType.BOOL;
          case FILTER -> over.kind() == Kind.MAP ? CelType.list(over.parameter(0)) : over;
          case MAP, TRANSFORM_LIST -> CelType.list(type(body)).atMost(over.maxSize());
          case TRANSFORM_MAP -> CelType.map(key(over), type(body)).atMost(over.maxSize());
          case OPT_MAP -> CelType.optional(type(body));
          case OPT_FLAT_MAP -> type(body);
        };
    return typed(
        new CelNode.Fold(fold.at(), fold.kind(), range, fold.first(), fold.second(), filter, body),
        result);
  }

  private static CelType key(CelType over) {
    return over.kind() == Kind.MAP ? over.parameter(0) : CelType.INT;
  }

  private Map<String, CelType> variables(CelNode.Fold fold, CelType over) {
    boolean optional = fold.kind() == FoldKind.OPT_MAP || fold.kind() == FoldKind.OPT_FLAT_MAP;
    boolean fits =
        over.isDyn()
            || (optional
                ? over.kind() == Kind.OPTIONAL
                : over.kind() == Kind.LIST || over.kind() == Kind.MAP);
    if (!fits) {
      throw fault(
          fold.range().at(),
          "expression of type '"
              + over
              + "' cannot be range of a comprehension (must be list, map, or dynamic)");
    }
    if (fold.second().isEmpty()) {
      return Map.of(fold.first(), over.isDyn() ? CelType.DYN : over.parameter(0));
    }
    CelType value = over.isDyn() ? CelType.DYN : over.parameter(over.kind() == Kind.MAP ? 1 : 0);
    return Map.of(fold.first(), over.isDyn() ? CelType.DYN : key(over), fold.second(), value);
  }
}
