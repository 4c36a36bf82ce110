package io.fairlead.client.transport;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Reads one HTTP/1.1 answer (RFC 9112): status line, headers, and a body that ends by length, by
/// chunks or with the connection.
final class HttpResponseReader {
  private static final int MAX_LINE = 16 << 10;
  private static final int MAX_HEADERS = 200;

  private final int code;
  private final InputStream body;

  private HttpResponseReader(int code, InputStream body) {
    this.code = code;
    this.body = body;
  }

  static HttpResponseReader read(InputStream in, String method) throws IOException {
    int code = statusCode(line(in));
    while (code >= 100 && code < 200) {
      skipHeaders(in);
      code = statusCode(line(in));
    }
    long length = -1;
    boolean chunked = false;
    int count = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      if (colon <= 0 || ++count > MAX_HEADERS) {
        throw new IOException("the answer has malformed headers");
      }
      String value = line.substring(colon + 1).strip();
      switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
        case "content-length" -> length = parse(value, 10);
        case "transfer-encoding" -> chunked = value.toLowerCase(Locale.ROOT).endsWith("chunked");
        default -> {}
      }
    }
    if (method.equals("HEAD") || code == 204 || code == 304) {
      return new HttpResponseReader(code, InputStream.nullInputStream());
    }
    return new HttpResponseReader(
        code, chunked ? new Chunked(in) : length >= 0 ? new Sized(in, length) : in);
  }

  int code() {
    return code;
  }

  InputStream body() {
    return body;
  }

  private static int statusCode(String line) throws IOException {
    String[] parts = line.split(" ", 3);
    if (parts.length < 2 || !parts[0].startsWith("HTTP/1.") || parts[1].length() != 3) {
      throw new IOException("this is not an HTTP server");
    }
    return (int) parse(parts[1], 10);
  }

  private static void skipHeaders(InputStream in) throws IOException {
    int count = 0;
    while (!line(in).isEmpty()) {
      if (++count > MAX_HEADERS) {
        throw new IOException("the answer has too many headers");
      }
    }
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(80);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the connection ended within the answer");
      }
      if (line.size() >= MAX_LINE) {
        throw new IOException("the answer has an endless header");
      }
      line.write(c);
    }
    String text = line.toString(StandardCharsets.ISO_8859_1);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  private static long parse(String number, int radix) throws IOException {
    try {
      long value = Long.parseLong(number, radix);
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IOException("the answer has a malformed number: " + number, e);
    }
    throw new IOException("the answer has a negative length");
  }

  /// A body of known length; the connection ending before it is an error.
  private static final class Sized extends InputStream {
    private final InputStream in;
    private long left;

    Sized(InputStream in, long left) {
      this.in = in;
      this.left = left;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
      if (left == 0) {
        return -1;
      }
      int read = in.read(into, offset, (int) Math.min(count, left));
      if (read < 0) {
        throw new EOFException("the connection ended within the answer");
      }
      left -= read;
      return read;
    }
  }

  /// A body in chunks; a chunk of length zero ends it.
  private static final class Chunked extends InputStream {
    private final InputStream in;
    private long left;
    private boolean first = true;
    private boolean ended;

    Chunked(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
      if (left == 0 && !ended) {
        nextChunk();
      }
      if (ended) {
        return -1;
      }
      int read = in.read(into, offset, (int) Math.min(count, left));
      if (read < 0) {
        throw new EOFException("the connection ended within the answer");
      }
      left -= read;
      return read;
    }

    private void nextChunk() throws IOException {
      if (!first && !line(in).isEmpty()) {
        throw new IOException("the answer has a malformed chunk");
      }
      first = false;
      String size = line(in);
      int extension = size.indexOf(';');
      left = parse((extension < 0 ? size : size.substring(0, extension)).strip(), 16);
      if (left == 0) {
        ended = true;
        skipHeaders(in);
      }
    }
  }
}
