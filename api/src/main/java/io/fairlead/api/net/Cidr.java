package io.fairlead.api.net;

import org.jspecify.annotations.Nullable;

/// A block of addresses, `10.96.0.0/12`. Bits behind the prefix are kept, so that `10.9.8.7/24` can
/// be told from its [#masked] form; [#contains], [#first] and the others ignore them.
///
/// @param prefixLength how many leading bits all addresses of the block share
public record Cidr(IpAddress address, int prefixLength) implements Comparable<Cidr> {

  public Cidr {
    if (prefixLength < 0 || prefixLength > address.family().bits()) {
      throw new IllegalArgumentException("no such prefix length: " + prefixLength);
    }
  }

  /// Reads a block that is known to be valid; IllegalArgumentException otherwise.
  public static Cidr parse(String text) {
    Cidr cidr = parseOrNull(text);
    if (cidr == null) {
      throw new IllegalArgumentException("not a CIDR: " + text);
    }
    return cidr;
  }

  /// Reads a block, or null when the text is none. Strict about leading zeros; bits behind the
  /// prefix are allowed.
  public static @Nullable Cidr parseOrNull(String text) {
    return read(text, false);
  }

  /// Like [#parseOrNull] but with leading zeros in the numbers.
  public static @Nullable Cidr parseLenientOrNull(String text) {
    return read(text, true);
  }

  private static @Nullable Cidr read(String text, boolean leadingZeros) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      return null;
    }
    IpAddress address = AddressParser.parse(text.substring(0, slash), leadingZeros);
    int length = length(text.substring(slash + 1), leadingZeros);
    return address == null || length < 0 || length > address.family().bits()
        ? null
        : new Cidr(address, length);
  }

  private static int length(String text, boolean leadingZeros) {
    if (text.isEmpty() || (!leadingZeros && text.length() > 1 && text.charAt(0) == '0')) {
      return -1;
    }
    int length = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9' || length > 128) {
        return -1;
      }
      length = length * 10 + c - '0';
    }
    return length;
  }

  public IpAddress.Family family() {
    return address.family();
  }

  /// The same block written with no bit behind the prefix.
  public Cidr masked() {
    return isMasked() ? this : new Cidr(first(), prefixLength);
  }

  public boolean isMasked() {
    return address.equals(first());
  }

  /// The lowest address, the network address of IPv4.
  public IpAddress first() {
    return new IpAddress(family(), address.high() & highMask(), address.low() & lowMask());
  }

  /// The highest address, the broadcast address of IPv4.
  public IpAddress last() {
    long low = address.low() | ~lowMask();
    return address.isIpv4()
        ? IpAddress.ipv4(low)
        : IpAddress.ipv6(address.high() | ~highMask(), low);
  }

  /// How many addresses it has, at most `Long.MAX_VALUE`.
  public long size() {
    int free = family().bits() - prefixLength;
    return free >= 63 ? Long.MAX_VALUE : 1L << free;
  }

  /// The address at that place, 0 being the first. IndexOutOfBoundsException outside.
  public IpAddress at(long offset) {
    if (offset < 0 || (size() != Long.MAX_VALUE && offset >= size())) {
      throw new IndexOutOfBoundsException(offset + " is not in " + this);
    }
    return first().plus(offset);
  }

  /// The place of an address that is in the block.
  public long offsetOf(IpAddress inside) {
    if (!contains(inside)) {
      throw new IllegalArgumentException(inside + " is not in " + this);
    }
    return first().distanceTo(inside);
  }

  /// Whether the address is in the block; one of the other family never is.
  public boolean contains(IpAddress other) {
    return other.family() == family()
        && ((other.high() ^ address.high()) & highMask()) == 0
        && ((other.low() ^ address.low()) & lowMask()) == 0;
  }

  /// Whether every address of `other` is in this block.
  public boolean contains(Cidr other) {
    return other.prefixLength >= prefixLength && contains(other.address);
  }

  /// Whether some address is in both.
  public boolean overlaps(Cidr other) {
    return contains(other.address) || other.contains(address);
  }

  private long highMask() {
    return address.isIpv4() ? 0 : leading(Math.min(prefixLength, 64));
  }

  private long lowMask() {
    int bits = address.isIpv4() ? prefixLength + 32 : Math.max(prefixLength - 64, 0);
    return leading(bits);
  }

  private static long leading(int ones) {
    return ones == 0 ? 0 : -1L << (64 - ones);
  }

  @Override
  public int compareTo(Cidr other) {
    int byAddress = address.compareTo(other.address);
    return byAddress != 0 ? byAddress : Integer.compare(prefixLength, other.prefixLength);
  }

  @Override
  public String toString() {
    return address + "/" + prefixLength;
  }
}
