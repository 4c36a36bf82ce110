package io.fairlead.agent;

import io.fairlead.agent.network.HostNamespace;
import io.fairlead.api.net.Cidr;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What an agent is to be like.
///
/// @param addresses of the node, the first is the one others use
/// @param podRanges of this node's pods; none to wait for a controller to give them
/// @param clusterRanges of all pods, whose packets keep their source
/// @param clusterDns addresses of the cluster's DNS; none to leave pods with the node's
/// @param directory keeps everything of this agent
/// @param host the network that is the node
/// @param manifests a directory with files that ask for pods, or one such file
public record AgentOptions(
    String nodeName,
    List<String> addresses,
    List<Cidr> podRanges,
    List<Cidr> clusterRanges,
    List<String> clusterDns,
    String clusterDomain,
    Map<String, String> labels,
    int maxPods,
    Path resolvConf,
    Path directory,
    HostNamespace host,
    String version,
    RuntimeOptions runtime,
    Optional<Path> manifests,
    NodeNetwork network) {
  public AgentOptions {
    addresses = List.copyOf(addresses);
    podRanges = List.copyOf(podRanges);
    clusterRanges = List.copyOf(clusterRanges);
    clusterDns = List.copyOf(clusterDns);
    labels = Map.copyOf(labels);
  }

  /// A node without a container engine.
  public AgentOptions(
      String nodeName,
      List<String> addresses,
      List<Cidr> podRanges,
      List<Cidr> clusterRanges,
      List<String> clusterDns,
      String clusterDomain,
      Map<String, String> labels,
      int maxPods,
      Path resolvConf,
      Path directory,
      HostNamespace host,
      String version) {
    this(
        nodeName,
        addresses,
        podRanges,
        clusterRanges,
        clusterDns,
        clusterDomain,
        labels,
        maxPods,
        resolvConf,
        directory,
        host,
        version,
        RuntimeOptions.NO_ENGINE,
        Optional.empty(),
        NodeNetwork.STANDARD);
  }

  /// The same with other runtimes.
  public AgentOptions with(RuntimeOptions other) {
    return new AgentOptions(
        nodeName,
        addresses,
        podRanges,
        clusterRanges,
        clusterDns,
        clusterDomain,
        labels,
        maxPods,
        resolvConf,
        directory,
        host,
        version,
        other,
        manifests,
        network);
  }

  /// The same with pods connected in another way.
  public AgentOptions with(NodeNetwork other) {
    return new AgentOptions(
        nodeName,
        addresses,
        podRanges,
        clusterRanges,
        clusterDns,
        clusterDomain,
        labels,
        maxPods,
        resolvConf,
        directory,
        host,
        version,
        runtime,
        manifests,
        other);
  }

  /// The same with pods from files.
  public AgentOptions with(Path place) {
    return new AgentOptions(
        nodeName,
        addresses,
        podRanges,
        clusterRanges,
        clusterDns,
        clusterDomain,
        labels,
        maxPods,
        resolvConf,
        directory,
        host,
        version,
        runtime,
        Optional.of(place),
        network);
  }
}
