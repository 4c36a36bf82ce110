package io.fairlead.client.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Reads answers in HTTP/1.1 from a connection that its user holds: for tests and measurements that
/// must know which connection they use, and what is on it. Trusts the server to speak properly.
///
/// Used by one thread.
public final class RawResponseReader {
  private static final int OK = 200;

  private final InputStream in;

  public RawResponseReader(InputStream in) {
    this.in = new BufferedInputStream(in, 8 << 10);
  }

  /// The code of the answer that begins here.
  public int status() throws IOException {
    return Integer.parseInt(line().substring(9, 12));
  }

  /// Reads headers and body.
  public byte[] body() throws IOException {
    int length = headers();
    if (length >= 0) {
      return in.readNBytes(length);
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    while (true) {
      int chunk = chunk();
      whole.write(in.readNBytes(chunk));
      line();
      if (chunk == 0) {
        return whole.toByteArray();
      }
    }
  }

  /// Reads the beginning of an answer that has no end, up to its body.
  public void stream() throws IOException {
    int status = status();
    if (status != OK) {
      throw new IOException(
          "no stream: " + status + " " + new String(body(), StandardCharsets.UTF_8));
    }
    headers();
  }

  /// The length of the body, or -1 when it comes in chunks.
  private int headers() throws IOException {
    int length = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring(15).strip());
      } else if (lower.startsWith("transfer-encoding:") && lower.contains("chunked")) {
        length = -1;
      }
    }
    return length;
  }

  /// The size of the chunk that begins here; 0 at the end.
  public int chunk() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  /// The next line. In a stream that is an event, a chunk's size or the empty line after a chunk.
  public String line() throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream(128);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the server closed the connection");
      }
      if (c != '\r') {
        text.write(c);
      }
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  /// Reads what is there of a stream, at least one byte; -1 at its end.
  public int read(byte[] into, int offset, int length) throws IOException {
    return in.read(into, offset, length);
  }
}
