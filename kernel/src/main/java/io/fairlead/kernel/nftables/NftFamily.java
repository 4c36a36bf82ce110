package io.fairlead.kernel.nftables;

/// The families of tables.
public enum NftFamily {
  INET(1),
  IP(2),
  ARP(3),
  NETDEV(5),
  BRIDGE(7),
  IP6(10);

  private final int number;

  NftFamily(int number) {
    this.number = number;
  }

  /// The number in messages, `NFPROTO_...`.
  public int number() {
    return number;
  }

  /// The word the `nft` tool uses.
  public String word() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  static NftFamily of(int number) {
    for (NftFamily family : values()) {
      if (family.number == number) {
        return family;
      }
    }
    throw new io.fairlead.kernel.netlink.MalformedMessageException(
        "no family of tables has the number " + number);
  }
}
