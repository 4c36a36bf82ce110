package io.fairlead.server.cel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of a parsed expression. `at` is its place in the text.
sealed interface CelNode {
  int at();

  record Literal(int at, Object value) implements CelNode {}

  record Ident(int at, String name) implements CelNode {}

  /// @param test whether the member is there, `has(a.b)`
  /// @param optional `a.?b`
  record Select(int at, CelNode operand, String field, boolean test, boolean optional)
      implements CelNode {}

  /// @param target what it is called on; null for a function
  record Call(int at, String function, @Nullable CelNode target, List<CelNode> arguments)
      implements CelNode {}

  /// @param optional for each item whether it is left out when it has no value
  record Items(int at, List<CelNode> items, List<Boolean> optional) implements CelNode {}

  record Entries(int at, List<Entry> entries) implements CelNode {}

  record Entry(CelNode key, CelNode value, boolean optional) {}

  /// An object of a named type: `Object.spec{replicas: 1}`.
  record Message(int at, String type, List<Member> members) implements CelNode {}

  /// @param optional whether it is left out when it has no value
  record Member(int at, String name, CelNode value, boolean optional) {}

  /// A walk over a list or map, or into an optional.
  ///
  /// @param second the second variable; empty when there is one
  /// @param filter what an element must meet to be taken; null for all
  record Fold(
      int at,
      FoldKind kind,
      CelNode range,
      String first,
      String second,
      @Nullable CelNode filter,
      CelNode body)
      implements CelNode {}

  /// What a [Fold] makes of what it walks over.
  enum FoldKind {
    ALL,
    EXISTS,
    EXISTS_ONE,
    FILTER,
    MAP,
    TRANSFORM_LIST,
    TRANSFORM_MAP,
    OPT_MAP,
    OPT_FLAT_MAP
  }
}
