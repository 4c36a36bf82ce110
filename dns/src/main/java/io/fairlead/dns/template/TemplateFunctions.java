package io.fairlead.dns.template;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The functions of templates.
final class TemplateFunctions {
  private static final Set<String> KNOWN =
      Set.of("index", "parseInt", "len", "print", "eq", "ne", "not", "and", "or");

  private TemplateFunctions() {}

  static boolean isKnown(String name) {
    return KNOWN.contains(name);
  }

  static Object call(String name, List<Object> arguments) throws TemplateException {
    return switch (name) {
      case "index" -> index(arguments);
      case "parseInt" -> parseInt(arguments);
      case "len" -> (long) size(one(name, arguments));
      case "print" -> arguments.stream().map(Object::toString).collect(Collectors.joining());
      case "eq" -> equal(arguments);
      case "ne" -> !equal(arguments);
      case "not" -> !isTrue(one(name, arguments));
      case "and" -> choose(arguments, false);
      case "or" -> choose(arguments, true);
      default -> throw new TemplateException("function \"" + name + "\" not defined");
    };
  }

  static boolean isTrue(Object value) {
    return switch (value) {
      case Boolean b -> b;
      case Number n -> n.longValue() != 0;
      case String s -> !s.isEmpty();
      case List<?> list -> !list.isEmpty();
      case Map<?, ?> map -> !map.isEmpty();
      default -> true;
    };
  }

  private static Object one(String name, List<Object> arguments) throws TemplateException {
    if (arguments.size() != 1) {
      throw new TemplateException(name + " takes one argument");
    }
    return arguments.getFirst();
  }

  private static Object choose(List<Object> arguments, boolean stopAt) throws TemplateException {
    if (arguments.isEmpty()) {
      throw new TemplateException("and and or take arguments");
    }
    for (Object each : arguments) {
      if (isTrue(each) == stopAt) {
        return each;
      }
    }
    return arguments.getLast();
  }

  private static boolean equal(List<Object> arguments) throws TemplateException {
    if (arguments.size() < 2) {
      throw new TemplateException("eq and ne take two arguments");
    }
    Object first = arguments.getFirst();
    return arguments.subList(1, arguments.size()).contains(first);
  }

  private static int size(Object value) throws TemplateException {
    return switch (value) {
      case String s -> s.length();
      case List<?> list -> list.size();
      case Map<?, ?> map -> map.size();
      default -> throw new TemplateException("len of " + value);
    };
  }

  private static Object index(List<Object> arguments) throws TemplateException {
    if (arguments.isEmpty()) {
      throw new TemplateException("index takes a list or a map, and indices");
    }
    Object value = arguments.getFirst();
    for (Object key : arguments.subList(1, arguments.size())) {
      Object found =
          switch (value) {
            case Map<?, ?> map -> map.containsKey(key) ? map.get(key) : "";
            case List<?> list when key instanceof Number n && inside(list, n) ->
                list.get(n.intValue());
            default -> null;
          };
      if (found == null) {
        throw new TemplateException("no element " + key + " to index");
      }
      value = found;
    }
    return value;
  }

  private static boolean inside(List<?> list, Number index) {
    return index.longValue() >= 0 && index.longValue() < list.size();
  }

  /// `parseInt TEXT BASE BITS`, unsigned.
  private static Object parseInt(List<Object> arguments) throws TemplateException {
    boolean fits =
        arguments.size() == 3
            && arguments.get(1) instanceof Number
            && arguments.get(2) instanceof Number;
    if (!fits) {
      throw new TemplateException("parseInt takes a text, a base and a size in bits");
    }
    int base = ((Number) arguments.get(1)).intValue();
    int bits = ((Number) arguments.get(2)).intValue();
    String text = arguments.getFirst().toString();
    try {
      long value = Long.parseUnsignedLong(text, base);
      boolean tooLarge = bits > 0 && bits < 64 && value >>> bits != 0;
      if (!tooLarge) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new TemplateException("parseInt: '" + text + "' is no number of base " + base);
    }
    throw new TemplateException("parseInt: " + text + " has more than " + bits + " bits");
  }
}
