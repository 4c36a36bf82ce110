package io.fairlead.dns.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A template, ready to be filled in. Immutable; the work it can cause is bounded.
final class TextTemplate {
  private static final int MOST_LETTERS = 65_536;

  private final String source;
  private final List<Node> nodes;

  private TextTemplate(String source, List<Node> nodes) {
    this.source = source;
    this.nodes = List.copyOf(nodes);
  }

  static TextTemplate of(String text) throws TemplateException {
    return new TextTemplate(text, TemplateParser.parse(text));
  }

  /// @param data what `.` stands for: maps, lists, texts, numbers, and functions from a text
  String fill(Map<String, Object> data) throws TemplateException {
    StringBuilder out = new StringBuilder();
    run(nodes, data, out);
    return out.toString();
  }

  private void run(List<Node> nodes, Object dot, StringBuilder out) throws TemplateException {
    for (Node node : nodes) {
      switch (node) {
        case Node.Text(String text) -> out.append(text);
        case Node.Print(Node.Pipeline pipeline) -> out.append(value(pipeline, dot));
        case Node.If(Node.Pipeline condition, List<Node> then, List<Node> otherwise) ->
            run(Functions.isTrue(value(condition, dot)) ? then : otherwise, dot, out);
        case Node.Range(Node.Pipeline over, List<Node> body, List<Node> otherwise) -> {
          List<?> elements = elements(value(over, dot));
          for (Object each : elements) {
            run(body, each, out);
          }
          if (elements.isEmpty()) {
            run(otherwise, dot, out);
          }
        }
      }
      if (out.length() > MOST_LETTERS) {
        throw new TemplateException("the result is too long");
      }
    }
  }

  private static List<?> elements(Object value) throws TemplateException {
    return switch (value) {
      case List<?> list -> list;
      case Map<?, ?> map -> List.copyOf(map.values());
      default -> throw new TemplateException("range can't iterate over " + value);
    };
  }

  private static Object value(Node.Pipeline pipeline, Object dot) throws TemplateException {
    Object result = null;
    for (Node.Command command : pipeline.commands()) {
      result = value(command, dot, result);
    }
    if (result == null) {
      throw new TemplateException("an empty pipeline");
    }
    return result;
  }

  private static Object value(Node.Command command, Object dot, @Nullable Object piped)
      throws TemplateException {
    List<Object> arguments = new ArrayList<>();
    for (Node.Operand each : command.operands().subList(1, command.operands().size())) {
      arguments.add(operand(each, dot));
    }
    if (piped != null) {
      arguments.add(piped);
    }
    Node.Operand first = command.operands().getFirst();
    if (first instanceof Node.Operand.Function(String name)) {
      return Functions.call(name, arguments);
    }
    Object value = operand(first, dot);
    if (value instanceof Function<?, ?> function) {
      if (arguments.size() != 1) {
        throw new TemplateException("a function of the query takes one argument");
      }
      @SuppressWarnings("unchecked") // all functions in the data take and give texts
      Function<String, String> called = (Function<String, String>) function;
      return called.apply(arguments.getFirst().toString());
    }
    if (!arguments.isEmpty()) {
      throw new TemplateException("can't give an argument to a value");
    }
    return value;
  }

  private static Object operand(Node.Operand operand, Object dot) throws TemplateException {
    return switch (operand) {
      case Node.Operand.Literal(Object value) -> value;
      case Node.Operand.Nested(Node.Pipeline pipeline) -> value(pipeline, dot);
      case Node.Operand.Function(String name) -> Functions.call(name, List.of());
      case Node.Operand.Field(List<String> parts) -> {
        Object value = dot;
        for (String part : parts) {
          Object found = value instanceof Map<?, ?> map ? map.get(part) : null;
          if (found == null) {
            throw new TemplateException("no field ." + part);
          }
          value = found;
        }
        yield value;
      }
    };
  }

  @Override
  public String toString() {
    return source;
  }
}
