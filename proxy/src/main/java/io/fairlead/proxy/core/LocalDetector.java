package io.fairlead.proxy.core;

import io.fairlead.api.net.Cidr;

/// How a node recognises traffic of its own pods.
public sealed interface LocalDetector {

  /// It cannot: rules that need to know are left out.
  record None() implements LocalDetector {}

  /// By the source address.
  record Source(Cidr cidr) implements LocalDetector {}

  /// By the bridge all pods are attached to.
  record Bridge(String name) implements LocalDetector {}

  /// By how the names of the pods' interfaces begin.
  record InterfacePrefix(String prefix) implements LocalDetector {}
}
