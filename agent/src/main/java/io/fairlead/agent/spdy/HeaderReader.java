package io.fairlead.agent.spdy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Reads blocks of headers. All blocks of one direction are one zlib stream, so they must be read
/// in order, and a broken one breaks the rest. Belongs to the connection's reader.
final class HeaderReader implements AutoCloseable {
  /// The most a block may unfold to; a bomb is refused.
  static final int LARGEST_BLOCK = 64 << 10;

  private final Inflater inflater = new Inflater();
  private byte[] plain = new byte[1 << 10];

  Map<String, String> read(byte[] compressed) throws SpdyException {
    int length = inflate(compressed);
    ByteBuffer block = ByteBuffer.wrap(plain, 0, length);
    Map<String, String> headers = new LinkedHashMap<>();
    int count = number(block);
    for (int i = 0; i < count; i++) {
      String name = text(block).toLowerCase(Locale.ROOT);
      if (name.isEmpty() || headers.put(name, text(block)) != null) {
        throw new SpdyException("a header without a name, or twice: " + name);
      }
    }
    if (block.hasRemaining()) {
      throw new SpdyException("a header block is longer than its headers");
    }
    return headers;
  }

  private int inflate(byte[] compressed) throws SpdyException {
    inflater.setInput(compressed);
    int length = 0;
    try {
      while (true) {
        int count = inflater.inflate(plain, length, plain.length - length);
        length += count;
        if (count == 0) {
          if (inflater.needsDictionary()) {
            inflater.setDictionary(SpdyHeaderDictionary.bytes());
          } else if (length < plain.length || inflater.finished()) {
            return length;
          }
        }
        if (length == plain.length) {
          if (length >= LARGEST_BLOCK) {
            throw new SpdyException("a header block of more than " + LARGEST_BLOCK + " bytes");
          }
          plain = Arrays.copyOf(plain, length * 2);
        }
      }
    } catch (DataFormatException | IllegalArgumentException e) {
      throw new SpdyException("a header block is damaged: " + e.getMessage());
    }
  }

  private static String text(ByteBuffer block) throws SpdyException {
    int length = number(block);
    if (length > block.remaining()) {
      throw new SpdyException("a header is longer than its block");
    }
    byte[] text = new byte[length];
    block.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  private static int number(ByteBuffer block) throws SpdyException {
    if (block.remaining() < 4) {
      throw new SpdyException("a header block ends early");
    }
    int number = block.getInt();
    if (number < 0 || number > LARGEST_BLOCK) {
      throw new SpdyException("a header block says " + Integer.toUnsignedString(number));
    }
    return number;
  }

  @Override
  public void close() {
    inflater.end();
  }
}
