package io.fairlead.agent.files;

import io.fairlead.agent.discovery.ResolvConfFile;
import io.fairlead.api.schema.Quantity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What a node gives to its pods.
///
/// @param directory keeps files of pods and their logs
/// @param addresses of the node
/// @param resolvConf the node's own
/// @param hosts the text of the node's own hosts file
/// @param allocatable what all pods together may use
public record NodePodFilesOptions(
    String nodeName,
    Path directory,
    List<String> addresses,
    String clusterDomain,
    List<String> clusterDns,
    ResolvConfFile resolvConf,
    String hosts,
    Map<String, Quantity> allocatable) {
  public NodePodFilesOptions {
    addresses = List.copyOf(addresses);
    clusterDns = List.copyOf(clusterDns);
    allocatable = Map.copyOf(allocatable);
  }
}
