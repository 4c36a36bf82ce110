package io.fairlead.kernel.nftables;

import java.util.List;

/// One rule: expressions worked off from left to right until one does not hold.
///
/// @param comment for people, empty for none
public record Rule(List<Expression> expressions, String comment) {
  public Rule {
    expressions = List.copyOf(expressions);
  }

  public static Rule of(String comment, Expression... expressions) {
    return new Rule(List.of(expressions), comment);
  }
}
