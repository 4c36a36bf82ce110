package io.fairlead.kernel.nftables;

/// The kernel's flags of a set.
final class SetFlags {
  private SetFlags() {}

  static int of(SetSpecification set) {
    int flags = 0;
    if (set.interval()) {
      flags |= Numbers.SET_INTERVAL;
      if (set.key().size() > 1) {
        flags |= Numbers.SET_CONCATENATION;
      }
    }
    if (set.isMap()) {
      flags |= Numbers.SET_MAP;
    }
    if (set.timeoutMillis() > 0) {
      flags |= Numbers.SET_TIMEOUTS;
    }
    if (set.dynamic()) {
      flags |= Numbers.SET_EVALUATE;
    }
    return flags;
  }
}
