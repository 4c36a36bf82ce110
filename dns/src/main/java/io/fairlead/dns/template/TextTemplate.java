package io.fairlead.dns.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A template, ready to be filled in. Immutable; the work it can cause is bounded.
final class TextTemplate {
  private static final int MOST_LETTERS = 65_536;

  /// Values of [TemplateData] that differ between clients, or all of them by a dot or `$` alone.
  private static final Pattern CLIENT =
      Pattern.compile("Remote|Meta|Message|[{][{][^}]*((?<![\\w.])[.](?!\\w)|[$](?!\\w|[.]\\w))");

  private final String source;
  private final List<TemplateNode> nodes;
  private final boolean namesTheClient;

  private TextTemplate(String source, List<TemplateNode> nodes) {
    this.source = source;
    this.nodes = List.copyOf(nodes);
    this.namesTheClient = CLIENT.matcher(source).find();
  }

  static TextTemplate of(String text) throws TemplateException {
    return new TextTemplate(text, TemplateParser.parse(text));
  }

  /// Whether the text can depend on more than the question: on who asks, or on the message's id.
  boolean namesTheClient() {
    return namesTheClient;
  }

  /// @param data what `.` stands for: maps, lists, texts, numbers, and functions from a text
  String fill(Map<String, Object> data) throws TemplateException {
    StringBuilder out = new StringBuilder();
    run(nodes, new TemplateScope(data), out);
    return out.toString();
  }

  private void run(List<TemplateNode> nodes, TemplateScope scope, StringBuilder out)
      throws TemplateException {
    for (TemplateNode node : nodes) {
      switch (node) {
        case TemplateNode.Text(String text) -> out.append(text);
        case TemplateNode.Print(TemplateNode.Pipeline pipeline) -> {
          Object value = value(pipeline, scope);
          // What goes into a variable is not printed.
          out.append(pipeline.variable().isEmpty() ? value : "");
        }
        case TemplateNode.If(
                TemplateNode.Pipeline condition,
                List<TemplateNode> then,
                List<TemplateNode> otherwise) -> {
          TemplateScope inner = scope.inner(scope.dot());
          run(TemplateFunctions.isTrue(value(condition, inner)) ? then : otherwise, inner, out);
        }
        case TemplateNode.Range range -> range(range, scope, out);
      }
      if (out.length() > MOST_LETTERS) {
        throw new TemplateException("the result is too long");
      }
    }
  }

  private void range(TemplateNode.Range range, TemplateScope scope, StringBuilder out)
      throws TemplateException {
    Object over = value(range.over(), scope);
    List<?> elements = elements(over);
    List<?> keys = over instanceof Map<?, ?> map ? List.copyOf(map.keySet()) : List.of();
    for (int i = 0; i < elements.size(); i++) {
      TemplateScope inner = scope.inner(elements.get(i));
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

  private static Object value(TemplateNode.Pipeline pipeline, TemplateScope scope)
      throws TemplateException {
    Object result = null;
    for (TemplateNode.Command command : pipeline.commands()) {
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

  private static Object value(
      TemplateNode.Command command, TemplateScope scope, @Nullable Object piped)
      throws TemplateException {
    List<Object> arguments = new ArrayList<>();
    for (TemplateNode.Operand each : command.operands().subList(1, command.operands().size())) {
      arguments.add(operand(each, scope));
    }
    if (piped != null) {
      arguments.add(piped);
    }
    TemplateNode.Operand first = command.operands().getFirst();
    if (first instanceof TemplateNode.Operand.Function(String name)) {
      return TemplateFunctions.call(name, arguments);
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

  private static Object operand(TemplateNode.Operand operand, TemplateScope scope)
      throws TemplateException {
    return switch (operand) {
      case TemplateNode.Operand.Literal(Object value) -> value;
      case TemplateNode.Operand.Nested(TemplateNode.Pipeline pipeline) -> value(pipeline, scope);
      case TemplateNode.Operand.Function(String name) -> TemplateFunctions.call(name, List.of());
      case TemplateNode.Operand.Field(List<String> parts) -> field(scope.dot(), parts);
      case TemplateNode.Operand.Variable(String name, List<String> parts) ->
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
