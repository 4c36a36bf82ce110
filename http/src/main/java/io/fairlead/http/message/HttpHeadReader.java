package io.fairlead.http.message;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Reads the head of an HTTP/1.1 message (RFC 9112 sections 2 to 5), byte by byte: what follows the
/// head stays in the stream. Wrap a socket's stream in a buffer unless another protocol follows.
///
/// What it refuses, because two readers could understand it differently: a header name with white
/// space or another character that no name has, a continued line, a control character in a value.
/// The size of a line, the number of headers and the size of the whole head are bounded.
public final class HttpHeadReader {
  /// The largest head.
  public static final int MOST_BYTES = 64 << 10;

  private static final int MOST_LINE = 16 << 10;
  private static final int MOST_HEADERS = 200;
  private static final String NAME_SYMBOLS = "!#$%&'*+-.^_`|~"; // RFC 9110 5.6.2, tchar

  private final InputStream in;
  private int left;

  private HttpHeadReader(InputStream in, int most) {
    this.in = in;
    this.left = most;
  }

  /// The next head of the stream.
  ///
  /// @throws EOFException when the stream ends before or within it
  /// @throws IOException when it is malformed or too large
  public static HttpHead read(InputStream in) throws IOException {
    return read(in, MOST_BYTES);
  }

  /// The same with a smaller bound for the whole head.
  public static HttpHead read(InputStream in, int mostBytes) throws IOException {
    HttpHeadReader reader = new HttpHeadReader(in, mostBytes);
    String start = reader.line(false);
    return new HttpHead(start, reader.headers());
  }

  /// The lines after a body in chunks; they are of no use to any caller, but bounded too.
  static void skipTrailers(InputStream in) throws IOException {
    HttpHeadReader reader = new HttpHeadReader(in, MOST_BYTES);
    List<Map.Entry<String, String>> _ = reader.headers();
  }

  /// The line that frames a chunk. RFC 9112 allows a lone line feed only in heads.
  static String chunkLine(InputStream in) throws IOException {
    return new HttpHeadReader(in, MOST_LINE).line(true);
  }

  private List<Map.Entry<String, String>> headers() throws IOException {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    for (String line = line(false); !line.isEmpty(); line = line(false)) {
      int colon = line.indexOf(':');
      if (headers.size() == MOST_HEADERS) {
        throw new IOException("the answer has too many headers");
      }
      if (!isName(line, colon)) {
        throw new IOException("the answer has malformed headers");
      }
      String value = line.substring(colon + 1).strip();
      for (int i = 0; i < value.length(); i++) {
        if (value.charAt(i) < ' ' && value.charAt(i) != '\t') {
          throw new IOException("the answer has malformed headers");
        }
      }
      headers.add(new SimpleImmutableEntry<>(line.substring(0, colon), value));
    }
    return headers;
  }

  private static boolean isName(String line, int end) {
    for (int i = 0; i < end; i++) {
      char c = line.charAt(i);
      boolean letterOrDigit =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!letterOrDigit && NAME_SYMBOLS.indexOf(c) < 0) {
        return false;
      }
    }
    return end > 0;
  }

  private String line(boolean strict) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(80);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the connection ended within the answer");
      }
      if (line.size() >= MOST_LINE || --left <= 0) {
        throw new IOException("the answer has an endless header");
      }
      line.write(c);
    }
    String text = line.toString(StandardCharsets.ISO_8859_1);
    if (text.endsWith("\r")) {
      return text.substring(0, text.length() - 1);
    }
    if (strict) {
      throw new IOException("the answer has a malformed chunk");
    }
    return text;
  }
}
