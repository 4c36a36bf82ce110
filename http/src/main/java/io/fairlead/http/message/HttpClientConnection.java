package io.fairlead.http.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A connection to another HTTP/1.1 server, for one request on a socket of its own. One thread
/// sends, one reads; any may close.
public final class HttpClientConnection implements AutoCloseable {
  private static final int BUFFER = 32 << 10;

  /// The head of an answer.
  ///
  /// @param headers in the order they came
  public record Head(int code, List<Map.Entry<String, String>> headers) {
    public Head {
      headers = List.copyOf(headers);
    }

    /// The first value of a header, or empty.
    public String header(String name) {
      return new HttpHead("", headers).header(name);
    }
  }

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final int mostHeadBytes;
  private volatile String method = "GET";
  // Owned by the reading thread.
  private @Nullable HttpResponseReader answer;

  /// @param socket connected, with its TLS handshake done where it has one
  public HttpClientConnection(Socket socket) throws IOException {
    this(socket, HttpHeadReader.MOST_BYTES);
  }

  /// The same for a server from which a smaller head is expected.
  public HttpClientConnection(Socket socket, int mostHeadBytes) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream(), BUFFER);
    this.out = socket.getOutputStream();
    this.mostHeadBytes = mostHeadBytes;
  }

  /// Sends the head of a request.
  ///
  /// What goes on from a client of this server was not always read as HTTP/1.1, where a blank ends
  /// a method and a line break a header: a part that would become another one here is refused.
  ///
  /// @param target path and query, escaped
  /// @throws IllegalArgumentException for what cannot stand in a head
  public void send(String method, String target, List<Map.Entry<String, String>> headers)
      throws IOException {
    this.method = method;
    StringBuilder head = new StringBuilder(512);
    head.append(token(method)).append(' ').append(unbroken(target)).append(" HTTP/1.1\r\n");
    for (Map.Entry<String, String> header : headers) {
      head.append(token(header.getKey())).append(": ").append(clean(header.getValue()));
      head.append("\r\n");
    }
    out.write(head.append("\r\n").toString().getBytes(ISO_8859_1));
    out.flush();
  }

  private static String clean(String text) {
    if (text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0 || text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a line break where none may be");
    }
    return text;
  }

  /// A method or the name of a header (RFC 9110, 5.6.2).
  private static String token(String text) {
    if (text.isEmpty() || !text.chars().allMatch(HttpClientConnection::isTokenCharacter)) {
      throw new IllegalArgumentException("no token of HTTP: " + text.length() + " characters");
    }
    return text;
  }

  private static boolean isTokenCharacter(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || (c > 0 && "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
  }

  private static String unbroken(String target) {
    if (target.isEmpty() || target.chars().anyMatch(c -> c <= ' ' || c == 0x7f)) {
      throw new IllegalArgumentException("a blank or a control character in a path");
    }
    return target;
  }

  /// Sends a body of a known length.
  public void body(InputStream body) throws IOException {
    body.transferTo(out);
    out.flush();
  }

  /// Sends a body of unknown length; the head must say `Transfer-Encoding: chunked`.
  public void chunks(InputStream body) throws IOException {
    byte[] buffer = new byte[BUFFER];
    for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
      if (count > 0) {
        out.write((Integer.toHexString(count) + "\r\n").getBytes(ISO_8859_1));
        out.write(buffer, 0, count);
        out.write("\r\n".getBytes(ISO_8859_1));
        out.flush();
      }
    }
    out.write("0\r\n\r\n".getBytes(ISO_8859_1));
    out.flush();
  }

  /// Waits for the head of the answer; interim answers such as 100 are passed over.
  public Head head() throws IOException {
    HttpResponseReader read = answer();
    return new Head(read.code(), read.head().headers());
  }

  /// The first line of the answer, which names its code.
  public String statusLine() throws IOException {
    return answer().head().startLine();
  }

  private HttpResponseReader answer() throws IOException {
    HttpResponseReader read = answer;
    if (read == null) {
      read = HttpResponseReader.read(in, method, mostHeadBytes);
      answer = read;
    }
    return read;
  }

  /// The body of the answer, without any coding of its transfer.
  ///
  /// @throws IllegalStateException before the head was read
  public InputStream body() {
    if (answer == null) {
      throw new IllegalStateException("the head of the answer was not read yet");
    }
    return answer.body();
  }

  /// What comes after a head with 101. Closing it closes the connection.
  public InputStream rest() {
    return in;
  }

  public OutputStream output() {
    return out;
  }

  /// Ends the sending direction; the peer reads an end of stream.
  public void shutdownOutput() throws IOException {
    if (!socket.isClosed() && !socket.isOutputShutdown()) {
      socket.shutdownOutput();
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException _) {
      // The connection is gone either way.
    }
  }
}
