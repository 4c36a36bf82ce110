package io.fairlead.controller.loadbalancer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.util.List;
import java.util.Set;

/// What a Service has after it was looked at.
///
/// @param addresses those it holds, in the order of its families
/// @param pools the names of the pools they are from, without repetition; an address outside of all
///   pools has none
/// @param outside those of its addresses that are in no pool any more
/// @param pending why something is missing; its code is empty when nothing is
/// @param conflicts Services that hold an address its status claimed
/// @param affected Services that share an address with it and must be looked at again
record AddressAllocation(
    List<IpAddress> addresses,
    List<String> pools,
    List<IpAddress> outside,
    Pending pending,
    Set<ObjectKey> conflicts,
    Set<ObjectKey> affected) {
  /// Nothing is missing.
  static final Pending COMPLETE = new Pending("", "", "");

  /// @param code for people who look it up, `FL400`
  /// @param message what is missing and why
  /// @param detail what changes while it is missing
  record Pending(String code, String message, String detail) {
    boolean isComplete() {
      return code.isEmpty();
    }

    /// `no address left in pool lan (11 of 11 held) (FL400)`.
    @Override
    public String toString() {
      return message + detail + " (" + code + ")";
    }
  }

  AddressAllocation {
    addresses = List.copyOf(addresses);
    pools = List.copyOf(pools);
    outside = List.copyOf(outside);
  }
}
