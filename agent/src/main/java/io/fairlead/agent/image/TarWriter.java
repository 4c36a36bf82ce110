package io.fairlead.agent.image;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Writes an archive in the format of `tar` (POSIX ustar). The same entries give the same bytes:
/// owner is root, the moment is the epoch. Used by one thread.
public final class TarWriter {
  private static final int BLOCK = 512;
  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_PREFIX = 155;
  private static final int DIRECTORY_MODE = 0755;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /// @param mode its permissions, such as 0755
  public TarWriter file(String path, int mode, byte[] content) {
    header(path, mode, content.length, '0', "");
    out.writeBytes(content);
    out.writeBytes(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    return this;
  }

  public TarWriter directory(String path) {
    return directory(path, DIRECTORY_MODE);
  }

  public TarWriter directory(String path, int mode) {
    header(path + "/", mode, 0, '5', "");
    return this;
  }

  public TarWriter link(String path, String target) {
    header(path, 0777, 0, '2', target);
    return this;
  }

  /// The whole archive.
  public byte[] bytes() {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(out.toByteArray());
    whole.writeBytes(new byte[2 * BLOCK]);
    return whole.toByteArray();
  }

  private void header(String path, int mode, long size, char type, String target) {
    byte[] block = new byte[BLOCK];
    String name = path;
    String prefix = "";
    if (ascii(name).length > LONGEST_NAME) {
      int cut = path.lastIndexOf('/', LONGEST_PREFIX);
      prefix = cut < 0 ? "" : path.substring(0, cut);
      name = path.substring(cut + 1);
    }
    if (ascii(name).length > LONGEST_NAME
        || ascii(prefix).length > LONGEST_PREFIX
        || ascii(target).length > LONGEST_NAME) {
      throw new IllegalArgumentException("too long for an archive: " + path);
    }
    put(block, 0, name);
    put(block, 100, octal(mode, 7));
    put(block, 108, octal(0, 7)); // owner
    put(block, 116, octal(0, 7)); // group
    put(block, 124, octal(size, 11));
    put(block, 136, octal(0, 11)); // moment
    put(block, 148, "        "); // sum, counted as spaces
    block[156] = (byte) type;
    put(block, 157, target);
    put(block, 257, "ustar");
    put(block, 263, "00");
    put(block, 345, prefix);
    int sum = 0;
    for (byte one : block) {
      sum += one & 0xff;
    }
    put(block, 148, octal(sum, 6) + "\0");
    out.writeBytes(block);
  }

  private static String octal(long value, int digits) {
    String text = Long.toOctalString(value);
    return "0".repeat(digits - text.length()) + text;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void put(byte[] block, int at, String text) {
    byte[] bytes = ascii(text);
    System.arraycopy(bytes, 0, block, at, bytes.length);
  }
}
