package io.fairlead.dns.wire;

import java.util.StringJoiner;

/// The head of a message.
///
/// @param flags the bits named below
/// @param rcode one of [Rcode], with the upper bits that travel in EDNS
public record Header(int id, int opcode, int flags, int rcode) {
  public static final int QR = 0x8000;
  public static final int AA = 0x0400;
  public static final int TC = 0x0200;
  public static final int RD = 0x0100;
  public static final int RA = 0x0080;
  public static final int Z = 0x0040;
  public static final int AD = 0x0020;
  public static final int CD = 0x0010;

  /// Length in bytes.
  public static final int LENGTH = 12;

  static final int ALL = QR | AA | TC | RD | RA | Z | AD | CD;

  public Header {
    flags &= ALL;
  }

  public boolean is(int flag) {
    return (flags & flag) != 0;
  }

  /// `qr aa rd`, as dig prints them.
  public String flagText() {
    StringJoiner text = new StringJoiner(" ");
    int[] bits = {QR, AA, TC, RD, RA, Z, AD, CD};
    String[] names = {"qr", "aa", "tc", "rd", "ra", "z", "ad", "cd"};
    for (int i = 0; i < bits.length; i++) {
      if (is(bits[i])) {
        text.add(names[i]);
      }
    }
    return text.toString();
  }
}
