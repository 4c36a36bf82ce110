package io.fairlead.proxy.announce;

import io.fairlead.api.net.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What a node does about one address, decided from what it sees of all nodes. Pure.
///
/// How it works: an address that a live candidate holds stays there, so that a node that comes,
/// goes or returns moves nothing that works. When none holds it, the candidate with the best rank
/// takes it. Two that took it at once settle by rank as soon as they see each other.
enum AddressOwnership {
  /// Begin to answer for it.
  TAKE,
  /// Go on answering.
  KEEP,
  /// Stop answering.
  DROP,
  /// It is not ours.
  LEAVE;

  /// What is known of a node.
  ///
  /// @param live its Lease was renewed a short while ago
  /// @param candidate it may answer for the address
  /// @param holds its Lease lists the address
  record NodeView(boolean live, boolean candidate, boolean holds) {}

  /// @param nodes all that have a Lease, this one included
  static AddressOwnership decide(String own, IpAddress address, Map<String, NodeView> nodes) {
    NodeView self = nodes.getOrDefault(own, new NodeView(false, false, false));
    List<String> candidates = new ArrayList<>();
    List<String> holders = new ArrayList<>();
    nodes.forEach(
        (name, node) -> {
          if (node.candidate() && (node.live() || name.equals(own))) {
            candidates.add(name);
            if (node.holds()) {
              holders.add(name);
            }
          }
        });
    // Ranks are hashes: they are made only where they decide, not in every look at what works.
    if (!self.candidate()) {
      return self.holds() ? DROP : LEAVE;
    }
    if (self.holds()) {
      return holders.size() == 1 || isBest(own, address, holders) ? KEEP : DROP;
    }
    return holders.isEmpty() && isBest(own, address, candidates) ? TAKE : LEAVE;
  }

  private static boolean isBest(String own, IpAddress address, List<String> nodes) {
    return AnnounceRank.best(address, nodes).filter(own::equals).isPresent();
  }
}
