package io.fairlead.policy.core;

import io.fairlead.api.net.IpAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// How much a policy asks of a node, so that one that asks too much is refused and the others go
/// on.
///
/// How it works: a peer or port counts as one. Blocks count as what is kept of them: the address
/// space is cut at their borders, and each piece keeps the blocks it is in. Blocks that lie beside
/// each other count as one each; blocks that overlap, with an except of its own in each, count as
/// the square of their number, which is what they cost.
final class PolicySize {
  /// More than a policy that is written by hand or generated from a list of networks has.
  static final int MOST = 50_000;

  /// A place where a range begins or has ended.
  private record Border(IpAddress at, boolean begins) {}

  private PolicySize() {}

  /// The size of all rules, as far as it matters: counting ends above [#MOST].
  static long of(List<NetworkPolicyRule> ingress, List<NetworkPolicyRule> egress) {
    long size = 0;
    Set<PolicyPeer.Block> blocks = new HashSet<>();
    for (List<NetworkPolicyRule> rules : List.of(ingress, egress)) {
      for (NetworkPolicyRule rule : rules) {
        size += rule.ports().size();
        for (PolicyPeer peer : rule.peers()) {
          if (peer instanceof PolicyPeer.Block block) {
            blocks.add(block);
          } else {
            size++;
          }
        }
      }
    }
    for (IpAddress.Family family : IpAddress.Family.values()) {
      if (size <= MOST) {
        size += pieces(blocks, family, MOST - size);
      }
    }
    return size;
  }

  /// How many blocks the pieces of the address space are in, summed over the pieces.
  private static long pieces(Set<PolicyPeer.Block> blocks, IpAddress.Family family, long most) {
    List<Border> borders = new ArrayList<>();
    for (PolicyPeer.Block block : blocks) {
      if (block.cidr().family() == family) {
        for (AddressBlocks.Range range : AddressBlocks.ranges(block)) {
          borders.add(new Border(range.first(), true));
          borders.add(new Border(range.last(), false));
        }
        if (borders.size() > 2 * most) {
          return borders.size();
        }
      }
    }
    // A range that ends at an address still covers it.
    borders.sort(Comparator.comparing(Border::at).thenComparing(border -> !border.begins()));
    long sum = 0;
    long open = 0;
    for (Border border : borders) {
      open += border.begins() ? 1 : -1;
      sum += open;
    }
    return sum;
  }
}
