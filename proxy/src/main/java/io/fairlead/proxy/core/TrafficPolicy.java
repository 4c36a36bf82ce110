package io.fairlead.proxy.core;

/// Where traffic may be sent: to any node, or only to endpoints on this one.
public enum TrafficPolicy {
  CLUSTER,
  LOCAL
}
