package io.fairlead.policy.nftables;

import io.fairlead.api.net.Cidr;
import java.util.List;

/// What the rules of a table depend on besides its sets.
///
/// @param podRanges of the node: an unknown address in them is closed; none for no gate
/// @param sourceRanges a new connection from them must come in by the interface that leads to its
///   source; none for no check
/// @param reject whether a denied packet is answered
/// @param logGroup where denied packets are logged to; 0 for no log
/// @param cutLabel the label of connections that are cut
public record TableSettings(
    List<Cidr> podRanges, List<Cidr> sourceRanges, boolean reject, int logGroup, int cutLabel) {
  public static final int LOG_GROUP = 241;
  public static final int CUT_LABEL = 121;

  public TableSettings {
    podRanges = List.copyOf(podRanges);
    sourceRanges = List.copyOf(sourceRanges);
  }

  public static TableSettings of(List<Cidr> podRanges) {
    return new TableSettings(podRanges, podRanges, false, LOG_GROUP, CUT_LABEL);
  }
}
