package io.fairlead.kernel.nftables;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Bytes the kernel keeps with an object and does not read. The `nft` tool keeps comments there, as
/// a type, a length and the text with its zero byte.
final class Userdata {
  /// `nft` refuses longer ones.
  static final int MAX_COMMENT = 128;

  static final int COMMENT = 0;
  static final int SET_COMMENT = 7;

  private static final int KEY_BYTE_ORDER = 0;
  private static final int VALUE_BYTE_ORDER = 1;
  private static final int HOST_ORDER = 1;

  private Userdata() {}

  /// What the tool needs to know of a set: numbers in the machine's order, and the comment.
  static byte[] of(SetSpecification set) {
    ByteArrayOutputStream userdata = new ByteArrayOutputStream();
    if (isHostOrder(set.key())) {
      userdata.writeBytes(order(KEY_BYTE_ORDER));
    }
    if (isHostOrder(set.value())) {
      userdata.writeBytes(order(VALUE_BYTE_ORDER));
    }
    if (!set.comment().isEmpty()) {
      userdata.writeBytes(comment(SET_COMMENT, set.comment()));
    }
    return userdata.toByteArray();
  }

  /// In a concatenation each part has the order of its type anyway.
  private static boolean isHostOrder(List<DataType> types) {
    return types.size() == 1 && types.getFirst().isHostOrder();
  }

  private static byte[] order(int type) {
    return ByteBuffer.allocate(6)
        .order(ByteOrder.nativeOrder())
        .put((byte) type)
        .put((byte) Integer.BYTES)
        .putInt(HOST_ORDER)
        .array();
  }

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
