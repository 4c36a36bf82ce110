package io.fairlead.kernel.netlink;

/// Numbers of `linux/netlink.h` and `linux/netfilter/nfnetlink.h`.
public final class NetlinkConstants {
  public static final int ROUTE = 0;
  public static final int NETFILTER = 12;
  public static final int GENERIC = 16;

  public static final int HEADER_LENGTH = 16;
  public static final int ATTRIBUTE_HEADER_LENGTH = 4;

  public static final int FLAG_REQUEST = 0x1;
  public static final int FLAG_MULTI = 0x2;
  public static final int FLAG_ACK = 0x4;
  public static final int FLAG_DUMP_INTERRUPTED = 0x10;
  public static final int FLAG_DUMP = 0x300;
  public static final int FLAG_REPLACE = 0x100;
  public static final int FLAG_EXCLUSIVE = 0x200;
  public static final int FLAG_CREATE = 0x400;
  public static final int FLAG_APPEND = 0x800;

  public static final int TYPE_NOOP = 1;
  public static final int TYPE_ERROR = 2;
  public static final int TYPE_DONE = 3;
  public static final int TYPE_OVERRUN = 4;
  public static final int TYPE_BATCH_BEGIN = 16;
  public static final int TYPE_BATCH_END = 17;

  public static final int SUBSYSTEM_CONNTRACK = 1;
  public static final int SUBSYSTEM_NFTABLES = 10;

  static final int NESTED = 0x8000;
  static final int TYPE_MASK = 0x3fff;
  static final int FLAG_ACK_ATTRIBUTES = 0x200;
  static final int FLAG_CAPPED = 0x100;
  static final int ERROR_ATTRIBUTE_TEXT = 1;

  static final int SOL_NETLINK = 270;
  static final int OPTION_ADD_MEMBERSHIP = 1;
  static final int OPTION_CAP_ACK = 10;
  static final int OPTION_EXTENDED_ACK = 11;
  static final int OPTION_STRICT_CHECK = 12;

  private NetlinkConstants() {}

  /// Lengths are rounded up to four bytes.
  static int align(int length) {
    return (length + 3) & ~3;
  }
}
