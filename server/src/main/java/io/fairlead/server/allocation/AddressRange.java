package io.fairlead.server.allocation;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The addresses of a service CIDR that can be given out: all but the network address and, in IPv4,
/// the broadcast address.
public record AddressRange(Cidr cidr) {
  private static final long LEAST_RESERVED = 16;
  private static final long MOST_RESERVED = 256;

  /// Whether the address can be given out here.
  public boolean contains(IpAddress address) {
    if (address.family() != cidr.family() || !cidr.contains(address)) {
      return false;
    }
    long offset = cidr.offsetOf(address);
    return offset >= 1 && offset <= usable();
  }

  /// The lowest address, which the `kubernetes` Service has.
  public IpAddress first() {
    return cidr.at(1);
  }

  /// A free address, or null when all are taken.
  public @Nullable IpAddress pick(Predicate<IpAddress> isFree, RandomGenerator random) {
    long offset =
        new AllocationRange(1, usable(), reserved())
            .pick(candidate -> isFree.test(cidr.at(candidate)), random);
    return offset == AllocationRange.NONE ? null : cidr.at(offset);
  }

  private long usable() {
    return cidr.size() - (cidr.family() == IpAddress.Family.IPV4 ? 2 : 1);
  }

  private long reserved() {
    long size = usable();
    return size <= LEAST_RESERVED
        ? 0
        : Math.min(Math.max(LEAST_RESERVED, size / 16), MOST_RESERVED);
  }
}
