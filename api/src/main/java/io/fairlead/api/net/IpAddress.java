package io.fairlead.api.net;

import org.jspecify.annotations.Nullable;

/// An IPv4 or IPv6 address, as bits. Never looks anything up: a text is an address or it is not.
///
/// IPv4 addresses live in the low 32 bits. An IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) stays an
/// IPv6 address, but the questions below (is it loopback, link-local…) look through the mapping, so
/// that no spelling of an address escapes a check.
///
/// @param high the upper 64 bits, 0 for IPv4
/// @param low the lower 64 bits
public record IpAddress(Family family, long high, long low) implements Comparable<IpAddress> {

  /// The two sorts of addresses, as `spec.ipFamilies` spells them.
  public enum Family {
    IPV4("IPv4", 32),
    IPV6("IPv6", 128);

    private final String text;
    private final int bits;

    Family(String text, int bits) {
      this.text = text;
      this.bits = bits;
    }

    /// The length of an address.
    public int bits() {
      return bits;
    }

    /// `IPv4` or `IPv6`.
    @Override
    public String toString() {
      return text;
    }
  }

  private static final long MAX_IPV4 = 0xffff_ffffL;
  private static final long MAPPED = 0xffffL << 32;

  public IpAddress {
    if (family == Family.IPV4 && (high != 0 || low < 0 || low > MAX_IPV4)) {
      throw new IllegalArgumentException("more than 32 bits in an IPv4 address");
    }
  }

  // As a record would have it, but without the code it makes at the first use, which takes longer
  // than a short command has time for.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IpAddress that
        && low == that.low
        && high == that.high
        && family == that.family;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Long.hashCode(high) + Long.hashCode(low)) + family.ordinal();
  }

  public static IpAddress ipv4(long bits) {
    return new IpAddress(Family.IPV4, 0, bits & MAX_IPV4);
  }

  public static IpAddress ipv6(long high, long low) {
    return new IpAddress(Family.IPV6, high, low);
  }

  /// Reads an address that is known to be valid; IllegalArgumentException otherwise.
  public static IpAddress parse(String text) {
    IpAddress address = parseOrNull(text);
    if (address == null) {
      throw new IllegalArgumentException("not an IP address: " + text);
    }
    return address;
  }

  /// Reads an address, or null when the text is none. Strict: four decimal numbers without leading
  /// zeros, or RFC 4291 groups in any spelling; no zone, no port, no blanks.
  public static @Nullable IpAddress parseOrNull(String text) {
    return AddressParser.parse(text, false);
  }

  /// Like [#parseOrNull] but with leading zeros in IPv4 numbers, read as decimal, as old objects
  /// may have them.
  public static @Nullable IpAddress parseLenientOrNull(String text) {
    return AddressParser.parse(text, true);
  }

  /// Reads the bytes of a packet or a certificate: 4 or 16 of them.
  public static IpAddress ofBytes(byte[] bytes) {
    long high = 0;
    long low = 0;
    for (int i = 0; i < bytes.length; i++) {
      high = high << 8 | low >>> 56;
      low = low << 8 | (bytes[i] & 0xffL);
    }
    return switch (bytes.length) {
      case 4 -> ipv4(low);
      case 16 -> ipv6(high, low);
      default -> throw new IllegalArgumentException("an address has 4 or 16 bytes");
    };
  }

  /// 4 or 16 bytes in network order.
  public byte[] toBytes() {
    byte[] bytes = new byte[family.bits / 8];
    for (int i = 0; i < bytes.length; i++) {
      int fromRight = bytes.length - 1 - i;
      long part = fromRight < 8 ? low : high;
      bytes[i] = (byte) (part >>> (8 * (fromRight % 8)));
    }
    return bytes;
  }

  public boolean isIpv4() {
    return family == Family.IPV4;
  }

  public boolean isIpv6() {
    return family == Family.IPV6;
  }

  /// Whether it is an IPv6 address in `::ffff:0:0/96`.
  public boolean isIpv4Mapped() {
    return isIpv6() && high == 0 && low >>> 32 == 0xffff;
  }

  /// The IPv4 address inside a mapped one; any other address itself.
  public IpAddress unmapped() {
    return isIpv4Mapped() ? ipv4(low) : this;
  }

  /// The IPv6 form of an IPv4 address; an IPv6 address itself.
  public IpAddress mapped() {
    return isIpv4() ? ipv6(0, MAPPED | low) : this;
  }

  /// `0.0.0.0` or `::`.
  public boolean isUnspecified() {
    return high == 0 && unmapped().low == 0;
  }

  /// `127.0.0.0/8` or `::1`.
  public boolean isLoopback() {
    IpAddress plain = unmapped();
    return plain.isIpv4() ? plain.low >>> 24 == 127 : high == 0 && low == 1;
  }

  /// `169.254.0.0/16` or `fe80::/10`.
  public boolean isLinkLocalUnicast() {
    IpAddress plain = unmapped();
    return plain.isIpv4() ? plain.low >>> 16 == 0xa9fe : high >>> 54 == 0xfe80 >>> 6;
  }

  /// `224.0.0.0/24` or `ff02::/16`, with any flags.
  public boolean isLinkLocalMulticast() {
    IpAddress plain = unmapped();
    return plain.isIpv4()
        ? plain.low >>> 8 == 0xe00000
        : high >>> 56 == 0xff && (high >>> 48 & 0xf) == 2;
  }

  /// `224.0.0.0/4` or `ff00::/8`.
  public boolean isMulticast() {
    IpAddress plain = unmapped();
    return plain.isIpv4() ? plain.low >>> 28 == 0xe : high >>> 56 == 0xff;
  }

  /// The address that many places further; a negative number goes back. ArithmeticException when
  /// that leaves the family.
  public IpAddress plus(long offset) {
    if (isIpv4()) {
      long sum = low + offset;
      if (sum < 0 || sum > MAX_IPV4) {
        throw new ArithmeticException(this + " + " + offset + " is no IPv4 address");
      }
      return ipv4(sum);
    }
    long sum = low + offset;
    boolean carry = offset >= 0 && Long.compareUnsigned(sum, low) < 0;
    boolean borrow = offset < 0 && Long.compareUnsigned(sum, low) > 0;
    if ((carry && high == -1L) || (borrow && high == 0)) {
      throw new ArithmeticException(this + " + " + offset + " is no IPv6 address");
    }
    return ipv6(high + (carry ? 1 : 0) - (borrow ? 1 : 0), sum);
  }

  /// The following address; ArithmeticException after the last one.
  public IpAddress next() {
    return plus(1);
  }

  /// How many places `other` is behind this one, at most `Long.MAX_VALUE`. Both must be of one
  /// family and `other` not before this one.
  public long distanceTo(IpAddress other) {
    if (family != other.family || compareTo(other) > 0) {
      throw new IllegalArgumentException(other + " does not follow " + this);
    }
    long distance = other.low - low;
    boolean borrow = Long.compareUnsigned(other.low, low) < 0;
    long upper = other.high - high - (borrow ? 1 : 0);
    return upper != 0 || distance < 0 ? Long.MAX_VALUE : distance;
  }

  /// IPv4 before IPv6, then by number.
  @Override
  public int compareTo(IpAddress other) {
    int byFamily = family.compareTo(other.family);
    if (byFamily != 0) {
      return byFamily;
    }
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  /// The one canonical text (RFC 5952): `10.0.0.1`, `2001:db8::1`, `::ffff:10.0.0.1`.
  @Override
  public String toString() {
    return AddressPrinter.print(this);
  }
}
