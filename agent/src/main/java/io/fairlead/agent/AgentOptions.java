package io.fairlead.agent;

import io.fairlead.agent.lifecycle.PolicyWaitMode;
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
/// @param policyWait whether new pods wait until their NetworkPolicies are in force
/// @param componentLogs the directory with the logs of the other components of this process
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
    NodeNetworkOptions network,
    PolicyWaitMode policyWait,
    Optional<Path> componentLogs) {
  public AgentOptions {
    addresses = List.copyOf(addresses);
    podRanges = List.copyOf(podRanges);
    clusterRanges = List.copyOf(clusterRanges);
    clusterDns = List.copyOf(clusterDns);
    labels = Map.copyOf(labels);
  }

  /// The same with another wait.
  public AgentOptions withPolicyWait(PolicyWaitMode mode) {
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
        network,
        mode,
        componentLogs);
  }

  /// A node that runs built-in workloads only and connects its pods by routes, with no range and no
  /// DNS for them so far.
  ///
  /// @param version of the program, as the Node shows it
  public static AgentOptionsBuilder of(
      String nodeName, List<String> addresses, Path directory, String version) {
    return new AgentOptionsBuilder(nodeName, addresses, directory, version);
  }
}
