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
    run(nodes, new Scope(data), out);
    return out.toString();
  }

  private void run(List<Node> nodes, Scope scope, StringBuilder out) throws TemplateException {
    for (Node node : nodes) {
      switch (node) {
        case Node.Text(String text) -> out.append(text);
        case Node.Print(Node.Pipeline pipeline) -> {
          Object value = value(pipeline, scope);
          // What goes into a variable is not printed.
          out.append(pipeline.variable().isEmpty() ? value : "");
        }
        case Node.If(Node.Pipeline condition, List<Node> then, List<Node> otherwise) -> {
          Scope inner = scope.inner(scope.dot());
          run(Functions.isTrue(value(condition, inner)) ? then : otherwise, inner, out);
        }
        case Node.Range range -> range(range, scope, out);
      }
      if (out.length() > MOST_LETTERS) {
        throw new TemplateException("the result is too long");
      }
    }
  }

  private void range(Node.Range range, Scope scope, StringBuilder out) throws TemplateException {
    Object over = value(range.over(), scope);
    List<?> elements = elements(over);
    List<?> keys = over instanceof Map<?, ?> map ? List.copyOf(map.keySet()) : List.of();
    for (int i = 0; i < elements.size(); i++) {
      Scope inner = scope.inner(elements.get(i));
      inner.declare(range.index(), keys.isEmpty() ? (Object) (long) i : keys.get(i));
      inner.declare(range.element(), elements.get(i));
      run(range.body(), inner, out);
    }
    if (elements.isEmpty()) {
      run(range.otherwise(), scope.inner(scope.dot()), out);
    }
  }

  private static List<?> elements(Object value) throws TemplateException {
    return switch (value) {
      case List<?> list -> list;
      case Map<?, ?> map -> List.copyOf(map.values());
      default -> throw new TemplateException("range can't iterate over " + value);
    };
  }

  private static Object value(Node.Pipeline pipeline, Scope scope) throws TemplateException {
    Object result = null;
    for (Node.Command command : pipeline.commands()) {
      result = value(command, scope, result);
    }
    if (result == null) {
      throw new TemplateException("an empty pipeline");
    }
    if (pipeline.declares()) {
      scope.declare(pipeline.variable(), result);
    } else if (!pipeline.variable().isEmpty()) {
      scope.assign(pipeline.variable(), result);
    }
    return result;
  }

  private static Object value(Node.Command command, Scope scope, @Nullable Object piped)
      throws TemplateException {
    List<Object> arguments = new ArrayList<>();
    for (Node.Operand each : command.operands().subList(1, command.operands().size())) {
      arguments.add(operand(each, scope));
    }
    if (piped != null) {
      arguments.add(piped);
    }
    Node.Operand first = command.operands().getFirst();
    if (first instanceof Node.Operand.Function(String name)) {
      return Functions.call(name, arguments);
    }
    Object value = operand(first, scope);
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

  private static Object operand(Node.Operand operand, Scope scope) throws TemplateException {
    return switch (operand) {
      case Node.Operand.Literal(Object value) -> value;
      case Node.Operand.Nested(Node.Pipeline pipeline) -> value(pipeline, scope);
      case Node.Operand.Function(String name) -> Functions.call(name, List.of());
      case Node.Operand.Field(List<String> parts) -> field(scope.dot(), parts);
      case Node.Operand.Variable(String name, List<String> parts) ->
          field(scope.variable(name), parts);
    };
  }

  private static Object field(Object of, List<String> parts) throws TemplateException {
    Object value = of;
    for (String part : parts) {
      Object found = value instanceof Map<?, ?> map ? map.get(part) : null;
      if (found == null) {
        throw new TemplateException("no field ." + part);
      }
      value = found;
    }
    return value;
  }

  @Override
  public String toString() {
    return source;
  }
}
