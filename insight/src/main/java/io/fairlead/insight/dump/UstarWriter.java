package io.fairlead.insight.dump;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;

/// Writes regular files in the ustar format of POSIX.1-1988: a header of 512 bytes, the content,
/// zeros up to the next 512. Owned by one thread.
final class UstarWriter implements AutoCloseable {
  private static final int BLOCK = 512;
  private static final int NAME_LENGTH = 100;

  // Offsets of fields in a header.
  private static final int MODE = 100;
  private static final int OWNER = 108;
  private static final int GROUP = 116;
  private static final int SIZE = 124;
  private static final int TIME = 136;
  private static final int CHECKSUM = 148;
  private static final int TYPE = 156;
  private static final int MAGIC = 257;

  private final OutputStream out;
  private final Instant time;

  UstarWriter(OutputStream out, Instant time) {
    this.out = out;
    this.time = time;
  }

  /// @param name at most 100 bytes
  void add(String name, byte[] content) throws IOException {
    byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
    if (encoded.length > NAME_LENGTH) {
      throw new IllegalArgumentException("a name of " + encoded.length + " bytes: " + name);
    }
    byte[] header = new byte[BLOCK];
    System.arraycopy(encoded, 0, header, 0, encoded.length);
    octal(header, MODE, 7, 0600);
    octal(header, OWNER, 7, 0);
    octal(header, GROUP, 7, 0);
    octal(header, SIZE, 11, content.length);
    octal(header, TIME, 11, time.getEpochSecond());
    header[TYPE] = '0';
    byte[] magic = "ustar\0".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(magic, 0, header, MAGIC, magic.length);
    header[MAGIC + magic.length] = '0';
    header[MAGIC + magic.length + 1] = '0';
    // The sum counts its own field as blanks.
    for (int i = CHECKSUM; i < CHECKSUM + 8; i++) {
      header[i] = ' ';
    }
    long sum = 0;
    for (byte each : header) {
      sum += each & 0xff;
    }
    octal(header, CHECKSUM, 6, sum);
    header[CHECKSUM + 6] = 0;
    out.write(header);
    out.write(content);
    out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
  }

  private static void octal(byte[] header, int at, int digits, long value) {
    byte[] text =
        String.format(Locale.ROOT, "%0" + digits + "o", value).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(text, 0, header, at, digits);
  }

  /// Ends the archive: two blocks of zeros.
  @Override
  public void close() throws IOException {
    out.write(new byte[2 * BLOCK]);
    out.close();
  }
}
