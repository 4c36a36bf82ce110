package io.fairlead.server.cel;

import java.util.Set;

/// The words of CEL that are no names.
public final class CelReservedWords {
  public static final Set<String> ALL =
      Set.of(
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while",
          "in",
          "true",
          "false",
          "null");

  private CelReservedWords() {}
}
