package io.fairlead.controller;

import io.fairlead.controller.nodeipam.NodeRanges;
import java.time.Duration;

/// How nodes are looked after.
///
/// @param ranges what they get their pods' addresses from
/// @param grace how long one may be silent before it counts as lost; nodes speak every ten seconds
public record NodeOptions(NodeRanges ranges, Duration grace) {
  public static final Duration GRACE = Duration.ofSeconds(50);

  /// Nodes bring their ranges themselves.
  public static final NodeOptions STANDARD = new NodeOptions(NodeRanges.NONE, GRACE);
}
