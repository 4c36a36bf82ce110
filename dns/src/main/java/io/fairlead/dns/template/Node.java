package io.fairlead.dns.template;

import java.util.List;

/// A piece of a template.
sealed interface Node {
  record Text(String text) implements Node {}

  record Print(Pipeline pipeline) implements Node {}

  record If(Pipeline condition, List<Node> then, List<Node> otherwise) implements Node {}

  record Range(Pipeline over, List<Node> body, List<Node> otherwise) implements Node {}

  /// Commands, each fed with the result of the one before as its last argument.
  record Pipeline(List<Command> commands) {}

  /// A function or value with its arguments.
  record Command(List<Operand> operands) {}

  /// A word of a command.
  sealed interface Operand {
    /// `.Group.a`; no parts for `.`.
    record Field(List<String> parts) implements Operand {}

    record Literal(Object value) implements Operand {}

    record Function(String name) implements Operand {}

    /// `( ... )`.
    record Nested(Pipeline pipeline) implements Operand {}
  }
}
