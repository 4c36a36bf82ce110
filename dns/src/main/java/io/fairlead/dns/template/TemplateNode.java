package io.fairlead.dns.template;

import java.util.List;

/// A piece of a template.
sealed interface TemplateNode {
  record Text(String text) implements TemplateNode {}

  record Print(Pipeline pipeline) implements TemplateNode {}

  record If(Pipeline condition, List<TemplateNode> then, List<TemplateNode> otherwise)
      implements TemplateNode {}

  /// @param index the variable that counts; empty for none
  /// @param element the variable that holds each element; empty for none
  record Range(
      Pipeline over,
      String index,
      String element,
      List<TemplateNode> body,
      List<TemplateNode> otherwise)
      implements TemplateNode {}

  /// Commands, each fed with the result of the one before as its last argument.
  ///
  /// @param variable what the result is kept in; empty when it is not
  /// @param declares whether that is a new variable
  record Pipeline(List<Command> commands, String variable, boolean declares) {
    /// One whose result is not kept.
    Pipeline(List<Command> commands) {
      this(commands, "", false);
    }
  }

  /// A function or value with its arguments.
  record Command(List<Operand> operands) {}

  /// A word of a command.
  sealed interface Operand {
    /// `.Group.a`; no parts for `.`.
    record Field(List<String> parts) implements Operand {}

    /// `$x.a`; an empty name for `$`, which is what the whole template is about.
    record Variable(String name, List<String> parts) implements Operand {}

    record Literal(Object value) implements Operand {}

    record Function(String name) implements Operand {}

    /// `( ... )`.
    record Nested(Pipeline pipeline) implements Operand {}
  }
}
