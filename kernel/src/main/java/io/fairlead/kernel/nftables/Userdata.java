package io.fairlead.kernel.nftables;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Bytes the kernel keeps with an object and does not read. The `nft` tool keeps comments there, as
/// a type, a length and the text with its zero byte.
final class Userdata {
  /// `nft` refuses longer ones.
  static final int MAX_COMMENT = 128;

  static final int COMMENT = 0;
  static final int SET_COMMENT = 7;

  private Userdata() {}

  /// A comment, cut to what the tool can print.
  static byte[] comment(int type, String text) {
    byte[] whole = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(whole.length, MAX_COMMENT);
    // Never in the middle of a character.
    while (length < whole.length && length > 0 && (whole[length] & 0xc0) == 0x80) {
      length--;
    }
    byte[] userdata = new byte[length + 3];
    userdata[0] = (byte) type;
    userdata[1] = (byte) (length + 1);
    System.arraycopy(whole, 0, userdata, 2, length);
    return userdata;
  }

  /// The comment in there, empty when there is none.
  static String comment(int type, byte[] userdata) {
    int at = 0;
    while (at + 2 <= userdata.length) {
      int length = userdata[at + 1] & 0xff;
      int end = Math.min(userdata.length, at + 2 + length);
      if ((userdata[at] & 0xff) == type) {
        byte[] text = Arrays.copyOfRange(userdata, at + 2, end);
        int zero = 0;
        while (zero < text.length && text[zero] != 0) {
          zero++;
        }
        return new String(text, 0, zero, StandardCharsets.UTF_8);
      }
      at = end;
    }
    return "";
  }
}
