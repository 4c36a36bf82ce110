package io.fairlead.agent.spdy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.Deflater;

/// Writes blocks of headers, all of one direction as one zlib stream. Belongs to the connection's
/// writer.
final class HeaderWriter implements AutoCloseable {
  private final Deflater deflater = new Deflater();

  HeaderWriter() {
    deflater.setDictionary(SpdyHeaderDictionary.bytes());
  }

  byte[] write(Map<String, String> headers) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    number(block, headers.size());
    headers.forEach(
        (name, value) -> {
          text(block, name);
          text(block, value);
        });
    deflater.setInput(block.toByteArray());
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    byte[] buffer = new byte[512];
    int count;
    do {
      count = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
      compressed.write(buffer, 0, count);
    } while (count == buffer.length);
    return compressed.toByteArray();
  }

  private static void text(ByteArrayOutputStream block, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    number(block, bytes.length);
    block.writeBytes(bytes);
  }

  private static void number(ByteArrayOutputStream block, int number) {
    block.writeBytes(ByteBuffer.allocate(4).putInt(number).array());
  }

  @Override
  public void close() {
    deflater.end();
  }
}
