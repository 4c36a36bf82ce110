package io.fairlead.http.message;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/// Reads one HTTP/1.1 answer (RFC 9112): its head, and a body that ends by length, by chunks or
/// with the connection. An answer with both a length and chunks, or with two lengths, is refused:
/// section 6.3 calls it an attack.
public final class HttpResponseReader {
  private static final int SWITCHING_PROTOCOLS = 101;

  private final HttpHead head;
  private final int code;
  private final InputStream body;

  private HttpResponseReader(HttpHead head, int code, InputStream body) {
    this.head = head;
    this.code = code;
    this.body = body;
  }

  /// Waits for the head of the answer. Interim answers such as 100 are passed over; 101 is the last
  /// one, and what follows it is the other protocol's.
  ///
  /// @param method of the request, since an answer to HEAD has no body
  /// @throws IOException when the answer is malformed, too large or ends too early
  public static HttpResponseReader read(InputStream in, String method) throws IOException {
    return read(in, method, HttpHeadReader.MOST_BYTES);
  }

  /// The same with a smaller bound for the head.
  public static HttpResponseReader read(InputStream in, String method, int mostHeadBytes)
      throws IOException {
    HttpHead head = HttpHeadReader.read(in, mostHeadBytes);
    int code = head.statusCode();
    while (code < 200 && code != SWITCHING_PROTOCOLS) {
      head = HttpHeadReader.read(in, mostHeadBytes);
      code = head.statusCode();
    }
    return new HttpResponseReader(head, code, body(in, method, head, code));
  }

  private static InputStream body(InputStream in, String method, HttpHead head, int code)
      throws IOException {
    List<String> lengths = head.values("Content-Length");
    List<String> codings = head.values("Transfer-Encoding");
    if (lengths.size() + codings.size() > 1) {
      throw new IOException("the answer has more than one length");
    }
    long length = lengths.isEmpty() ? -1 : number(lengths.getFirst(), 10);
    boolean chunked = !codings.isEmpty() && codings.getFirst().equalsIgnoreCase("chunked");
    if (!codings.isEmpty() && !chunked && !codings.getFirst().equalsIgnoreCase("identity")) {
      throw new IOException("the answer has an unknown transfer coding");
    }
    if (code == SWITCHING_PROTOCOLS) {
      return in;
    }
    if (method.equals("HEAD") || code == 204 || code == 304) {
      return InputStream.nullInputStream();
    }
    return chunked ? new Chunked(in) : length >= 0 ? new Sized(in, length) : in;
  }

  public HttpHead head() {
    return head;
  }

  public int code() {
    return code;
  }

  /// The body, without any coding of its transfer; after 101 all that comes.
  public InputStream body() {
    return body;
  }

  /// Digits only: no sign and no white space, as the grammar has none.
  private static long number(String digits, int radix) throws IOException {
    long value = 0;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      int digit = c < 0x80 ? Character.digit(c, radix) : -1;
      if (digit < 0 || value > (Long.MAX_VALUE - digit) / radix) {
        throw new IOException("the answer has a malformed length");
      }
      value = value * radix + digit;
    }
    if (digits.isEmpty()) {
      throw new IOException("the answer has a malformed length");
    }
    return value;
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
      if (!first && !HttpHeadReader.chunkLine(in).isEmpty()) {
        throw new IOException("the answer has a malformed chunk");
      }
      first = false;
      String size = HttpHeadReader.chunkLine(in);
      int extension = size.indexOf(';');
      left = number((extension < 0 ? size : size.substring(0, extension)).strip(), 16);
      if (left == 0) {
        ended = true;
        HttpHeadReader.skipTrailers(in);
      }
    }
  }
}
