package io.fairlead.controller.nodeipam;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.BitSet;
import java.util.Collection;
import java.util.Optional;

/// A range in pieces of one size, numbered from 0. Pure.
///
/// @param length how many leading bits the addresses of a piece share
record CidrSubnets(Cidr range, int length) {

  int count() {
    return 1 << (length - range.prefixLength());
  }

  /// The first piece, from a number on and round, that shares no address with any of these.
  ///
  /// @return its number; empty when there is none
  Optional<Integer> free(int from, Collection<Cidr> used) {
    BitSet taken = new BitSet(count());
    for (Cidr one : used) {
      if (one.family() == range.family() && one.overlaps(range)) {
        boolean whole = one.prefixLength() <= range.prefixLength();
        int first = whole ? 0 : number(one.first());
        taken.set(first, (whole ? count() - 1 : number(one.last())) + 1);
      }
    }
    int found = taken.nextClearBit(from % count());
    if (found >= count()) {
      found = taken.nextClearBit(0);
    }
    return found < count() ? Optional.of(found) : Optional.empty();
  }

  Cidr at(int number) {
    int shift = range.family().bits() - length;
    IpAddress base = range.first();
    long low = shift >= Long.SIZE ? 0 : (long) number << shift;
    long high = 0;
    if (shift >= Long.SIZE) {
      high = (long) number << (shift - Long.SIZE);
    } else if (shift > 0 && range.family() == IpAddress.Family.IPV6) {
      high = (long) number >>> (Long.SIZE - shift);
    }
    IpAddress first = new IpAddress(range.family(), base.high() | high, base.low() | low);
    return new Cidr(first, length);
  }

  /// Which piece an address of the range is in.
  private int number(IpAddress address) {
    int shift = range.family().bits() - length;
    IpAddress base = range.first();
    long high = address.high() ^ base.high();
    long low = address.low() ^ base.low();
    if (shift >= Long.SIZE) {
      return (int) (high >>> (shift - Long.SIZE));
    }
    return (int) (low >>> shift | (shift == 0 ? 0 : high << (Long.SIZE - shift)));
  }
}
