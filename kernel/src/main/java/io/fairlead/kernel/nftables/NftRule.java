package io.fairlead.kernel.nftables;

import java.util.List;

/// One rule: expressions worked off from left to right until one does not hold.
///
/// @param comment for people, empty for none
public record NftRule(List<Expression> expressions, String comment) {
  public NftRule {
    expressions = List.copyOf(expressions);
  }

  public static NftRule of(String comment, Expression... expressions) {
    return new NftRule(List.of(expressions), comment);
  }
}
