package io.fairlead.kernel.nftables;

/// The kernel's flags of a set.
final class SetFlags {
  private SetFlags() {}

  static int of(SetSpecification set) {
    int flags = 0;
    if (set.interval()) {
      flags |= NftConstants.SET_INTERVAL;
      if (set.key().size() > 1) {
        flags |= NftConstants.SET_CONCATENATION;
      }
    }
    if (set.isMap()) {
      flags |= NftConstants.SET_MAP;
    }
    if (set.timeoutMillis() > 0) {
      flags |= NftConstants.SET_TIMEOUTS;
    }
    if (set.dynamic()) {
      flags |= NftConstants.SET_EVALUATE;
    }
    return flags;
  }
}
