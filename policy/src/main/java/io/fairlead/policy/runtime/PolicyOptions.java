package io.fairlead.policy.runtime;

import io.fairlead.api.net.Cidr;
import io.fairlead.policy.nftables.TableSettings;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How policies are enforced on a node.
///
/// @param node its name in the API
/// @param podRanges where its pods get addresses; empty to read them from the Node
/// @param clusterRanges further ranges whose sources are checked
/// @param checkSources whether a new connection must come from where its source is
/// @param gate whether an unknown address of the node's ranges is closed
/// @param cutConnections whether connections that are denied now are ended
/// @param reject whether a denied packet is answered
/// @param logGroup where the kernel sends denied packets; 0 for nowhere
/// @param cutLabel the label of connections that are cut
/// @param status where metrics and health are served; empty for nowhere
/// @param extras what most nodes do without
public record PolicyOptions(
    String node,
    List<Cidr> podRanges,
    List<Cidr> clusterRanges,
    boolean checkSources,
    boolean gate,
    boolean cutConnections,
    boolean reject,
    int logGroup,
    int cutLabel,
    Optional<InetSocketAddress> status,
    Extras extras) {
  /// What most nodes do without.
  ///
  /// @param gateFirst whether the gate is made before the API is read; needs `podRanges`
  /// @param startupTaint the key of a taint that is taken off the node with the first rules; empty
  ///   for none
  /// @param dropLog a file for denied packets, `-` for standard output, empty for none
  /// @param health where health is served, if not with the metrics
  /// @param proxyHidesSource whether the service proxy calls pods itself, so that policies see the
  ///   node
  public record Extras(
      boolean gateFirst,
      String startupTaint,
      String dropLog,
      Optional<InetSocketAddress> health,
      boolean proxyHidesSource) {
    public static final Extras NONE = new Extras(false, "", "", Optional.empty(), false);
  }

  public PolicyOptions {
    podRanges = List.copyOf(podRanges);
    clusterRanges = List.copyOf(clusterRanges);
  }

  public static PolicyOptions of(String node) {
    return new PolicyOptions(
        node,
        List.of(),
        List.of(),
        true,
        true,
        true,
        false,
        TableSettings.LOG_GROUP,
        TableSettings.CUT_LABEL,
        Optional.empty(),
        Extras.NONE);
  }

  public PolicyOptions withRanges(List<Cidr> pods, List<Cidr> cluster) {
    return new PolicyOptions(
        node,
        pods,
        cluster,
        checkSources,
        gate,
        cutConnections,
        reject,
        logGroup,
        cutLabel,
        status,
        extras);
  }

  public PolicyOptions withStatus(InetSocketAddress address) {
    return new PolicyOptions(
        node,
        podRanges,
        clusterRanges,
        checkSources,
        gate,
        cutConnections,
        reject,
        logGroup,
        cutLabel,
        Optional.of(address),
        extras);
  }

  public PolicyOptions withExtras(Extras changed) {
    return new PolicyOptions(
        node,
        podRanges,
        clusterRanges,
        checkSources,
        gate,
        cutConnections,
        reject,
        logGroup,
        cutLabel,
        status,
        changed);
  }

  Optional<InetSocketAddress> health() {
    return extras.health();
  }

  /// What the rules of a table depend on.
  ///
  /// @param nodeRanges of the Node object, used where no ranges were given
  TableSettings table(List<Cidr> nodeRanges) {
    List<Cidr> pods = podRanges.isEmpty() ? nodeRanges : podRanges;
    List<Cidr> sources = new ArrayList<>(pods);
    for (Cidr range : clusterRanges) {
      if (!sources.contains(range)) {
        sources.add(range);
      }
    }
    return new TableSettings(
        gate ? pods : List.of(), checkSources ? sources : List.of(), reject, logGroup, cutLabel);
  }
}
