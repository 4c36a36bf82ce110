package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.NftData;

/// The numbers a packet carries from one look-up to the next.
///
/// How it works: a rule cannot hand a value to a later look-up but through a field of the packet.
/// The packet mark would do, but routing and other programs depend on it. So the *priority* is
/// used, of the first packet of a connection only, and set back to 0 before the packet leaves. The
/// first byte tells our numbers from foreign priorities. `nft` prints them like `f100:3`.
final class PacketTag {
  /// In front of every number of ours.
  static final int TAG = 0xf1000000;

  /// Which bits the tag has.
  static final int TAG_MASK = 0xff000000;

  /// The first slot of the endpoints of the whole cluster.
  static final int CLUSTER_SLOTS = TAG | 1;

  /// The first slot of the endpoints on this node.
  static final int LOCAL_SLOTS = TAG | 0x800001;

  /// How many endpoints a front can have: the rest would run into the other list.
  static final int MOST_SLOTS = 0x7fffff;

  private PacketTag() {}

  static NftData bytes(int number) {
    return NftData.host32(number);
  }
}
