package io.fairlead.policy.core;

import java.util.Locale;

/// The sets and maps of the table that a plan fills.
public enum PolicySet {
  /// Pod address to class.
  CLASSES,
  /// Range of other addresses to class.
  BLOCKS,
  /// Local pod that is isolated to the grant for anyone.
  EGRESS_ANYONE,
  /// The same for any pod, where it is another one.
  EGRESS_ANYPOD,
  /// Class of the peer and local pod to grant, where it is not one of those above.
  EGRESS_GRANTS,
  INGRESS_ANYONE,
  INGRESS_ANYPOD,
  INGRESS_GRANTS,
  /// Grant, protocol and one port.
  PORTS,
  /// Grant, protocol and two or more ports.
  PORT_RANGES,
  /// Local pods whose policies are in force.
  PODS,
  /// Local pods that are isolated, each as source and destination.
  SELVES,
  /// Local pods that are isolated, with counters of what was dropped.
  EGRESS_DROPS,
  INGRESS_DROPS;

  /// The name in the kernel.
  public String setName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// Whether its values are numbers of classes; otherwise of grants, or it has none.
  boolean holdsClasses() {
    return this == CLASSES || this == BLOCKS;
  }

  static PolicySet anyone(Direction direction) {
    return direction == Direction.EGRESS ? EGRESS_ANYONE : INGRESS_ANYONE;
  }

  static PolicySet anypod(Direction direction) {
    return direction == Direction.EGRESS ? EGRESS_ANYPOD : INGRESS_ANYPOD;
  }

  static PolicySet grants(Direction direction) {
    return direction == Direction.EGRESS ? EGRESS_GRANTS : INGRESS_GRANTS;
  }

  static PolicySet drops(Direction direction) {
    return direction == Direction.EGRESS ? EGRESS_DROPS : INGRESS_DROPS;
  }
}
