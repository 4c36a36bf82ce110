package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.net.IpAddress;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/// The endpoints of a slice, packed: a large cluster has 150,000 of them, and an object for each
/// would be most of this process. Entries are made when they are read. Immutable.
final class SliceEndpoints extends AbstractList<EndpointFacts> implements RandomAccess {
  private static final int IPV6 = 16;

  private final int stride;
  private final byte[] addresses;
  // Null when none has a name of its own.
  private final String @Nullable [] names;
  // Null when none has a zone.
  private final String @Nullable [] zones;

  private SliceEndpoints(List<EndpointFacts> endpoints) {
    // A slice has one family; one that mixes them keeps all as IPv6, and marks which was none.
    boolean ipv4 = endpoints.stream().allMatch(each -> each.address().isIpv4());
    boolean ipv6 = endpoints.stream().allMatch(each -> each.address().isIpv6());
    stride = ipv4 ? 4 : ipv6 ? IPV6 : IPV6 + 1;
    addresses = new byte[endpoints.size() * stride];
    for (int i = 0; i < endpoints.size(); i++) {
      IpAddress address = endpoints.get(i).address();
      byte[] bytes = stride > IPV6 ? address.mapped().toBytes() : address.toBytes();
      System.arraycopy(bytes, 0, addresses, i * stride, bytes.length);
      if (stride > IPV6) {
        addresses[i * stride + IPV6] = (byte) (address.isIpv4() ? 1 : 0);
      }
    }
    names =
        endpoints.stream().allMatch(each -> each.name() == null)
            ? null
            : endpoints.stream().map(EndpointFacts::name).toArray(String[]::new);
    zones =
        endpoints.stream().allMatch(each -> each.zone().isEmpty())
            ? null
            : endpoints.stream().map(EndpointFacts::zone).toArray(String[]::new);
  }

  static SliceEndpoints of(List<EndpointFacts> endpoints) {
    return endpoints instanceof SliceEndpoints packed ? packed : new SliceEndpoints(endpoints);
  }

  @Override
  public int size() {
    return addresses.length / stride;
  }

  @Override
  public EndpointFacts get(int index) {
    Objects.checkIndex(index, size());
    return new EndpointFacts(
        address(index * stride),
        names == null ? null : names[index],
        zones == null ? "" : zones[index]);
  }

  private IpAddress address(int from) {
    IpAddress address =
        IpAddress.ofBytes(Arrays.copyOfRange(addresses, from, from + Math.min(stride, IPV6)));
    return stride > IPV6 && addresses[from + IPV6] == 1 ? address.unmapped() : address;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SliceEndpoints that
        ? stride == that.stride
            && Arrays.equals(addresses, that.addresses)
            && Arrays.equals(names, that.names)
            && Arrays.equals(zones, that.zones)
        : super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
