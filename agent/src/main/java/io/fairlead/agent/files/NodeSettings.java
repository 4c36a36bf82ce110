package io.fairlead.agent.files;

import io.fairlead.agent.discovery.ResolvConf;
import io.fairlead.api.quantity.Quantity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What a node tells its pods.
///
/// @param directory keeps files of pods and their logs
/// @param addresses of the node
/// @param resolvConf the node's own
/// @param hosts the text of the node's own hosts file
/// @param allocatable what all pods together may use
public record NodeSettings(
    String nodeName,
    Path directory,
    List<String> addresses,
    String clusterDomain,
    List<String> clusterDns,
    ResolvConf resolvConf,
    String hosts,
    Map<String, Quantity> allocatable) {
  public NodeSettings {
    addresses = List.copyOf(addresses);
    clusterDns = List.copyOf(clusterDns);
    allocatable = Map.copyOf(allocatable);
  }
}
