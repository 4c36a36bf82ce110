package io.fairlead.proxy.core;

import java.util.List;

/// Which endpoints of a service port this node uses, and why not the others.
///
/// @param cluster for traffic that may go anywhere
/// @param local for traffic that must stay on the node
/// @param all every endpoint in one of the two
/// @param any some usable endpoint exists somewhere, perhaps not here
/// @param topology which hints narrowed `cluster`
public record SelectedEndpoints(
    List<Backend> cluster,
    List<Backend> local,
    List<Backend> all,
    boolean any,
    Topology topology,
    List<UnusedBackend> unused) {

  /// What narrows the endpoints of the cluster.
  public enum Topology {
    NONE,
    NODE,
    ZONE
  }

  public SelectedEndpoints {
    cluster = List.copyOf(cluster);
    local = List.copyOf(local);
    all = List.copyOf(all);
    unused = List.copyOf(unused);
  }
}
