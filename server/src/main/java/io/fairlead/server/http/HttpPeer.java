package io.fairlead.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.util.BufferUtil;
import org.jspecify.annotations.Nullable;

/// Somebody else's HTTP/1.1 server, for one request on a socket of its own. One thread sends, one
/// reads; anybody may close.
public final class HttpPeer implements AutoCloseable {
  private static final int LARGEST_HEAD = 64 << 10;
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
      return headers.stream()
          .filter(one -> one.getKey().equalsIgnoreCase(name))
          .map(Map.Entry::getValue)
          .findFirst()
          .orElse("");
    }
  }

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final Reader reader = new Reader();
  private final HttpParser parser = new HttpParser(reader, LARGEST_HEAD, HttpCompliance.RFC7230);
  private final ByteBuffer received = BufferUtil.allocate(BUFFER);

  /// @param socket connected, with its TLS handshake done where it has one
  public HttpPeer(Socket socket) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
  }

  /// Sends the head of a request.
  ///
  /// @param target path and query, escaped
  public void send(String method, String target, List<Map.Entry<String, String>> headers)
      throws IOException {
    StringBuilder head = new StringBuilder(512);
    head.append(method).append(' ').append(clean(target)).append(" HTTP/1.1\r\n");
    for (Map.Entry<String, String> header : headers) {
      head.append(clean(header.getKey())).append(": ").append(clean(header.getValue()));
      head.append("\r\n");
    }
    out.write(head.append("\r\n").toString().getBytes(ISO_8859_1));
    out.flush();
    parser.setHeadResponse(method.equals("HEAD"));
  }

  private static String clean(String text) {
    if (text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0) {
      throw new IllegalArgumentException("a line break where none may be");
    }
    return text;
  }

  /// Sends a body of a known length.
  public void body(InputStream body) throws IOException {
    body.transferTo(out);
    out.flush();
  }

  /// Sends a body whose length nobody knows; the head must say `Transfer-Encoding: chunked`.
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

  /// Waits for the head of the answer; what the peer says before it, such as 100, is passed over.
  public Head head() throws IOException {
    while (true) {
      while (!reader.headDone) {
        advance();
      }
      if (reader.code >= 200 || reader.code == 101) {
        return new Head(reader.code, reader.headers);
      }
      reader.again();
      parser.reset();
    }
  }

  /// The body of the answer, without any coding of its transfer.
  public InputStream body() {
    return new Body();
  }

  /// What comes after a head with 101.
  public InputStream rest() {
    return new Rest();
  }

  public OutputStream output() {
    return out;
  }

  /// Tells the peer that nothing more comes.
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
      // Nothing more can be done with it.
    }
  }

  /// Parses what is there, and gets more when nothing came of it.
  private void advance() throws IOException {
    if (!parser.parseNext(received) && !received.hasRemaining()) {
      BufferUtil.clear(received);
      int count = in.read(received.array(), received.arrayOffset(), received.capacity());
      if (count < 0) {
        if (!reader.headDone) {
          throw new EOFException("the connection was closed without an answer");
        }
        parser.atEOF();
        parser.parseNext(received);
      } else {
        received.limit(count);
      }
    }
    if (reader.failure != null) {
      throw new IOException("no proper HTTP answer: " + reader.failure.getMessage());
    }
  }

  private static final class Reader implements HttpParser.ResponseHandler {
    private final List<Map.Entry<String, String>> headers = new ArrayList<>();
    private final Deque<ByteBuffer> content = new ArrayDeque<>();
    private int code;
    private boolean headDone;
    private boolean messageDone;
    private @Nullable Throwable failure;

    void again() {
      headers.clear();
      headDone = false;
      messageDone = false;
    }

    @Override
    public void startResponse(HttpVersion version, int status, String reason) {
      code = status;
    }

    @Override
    public void parsedHeader(HttpField field) {
      String value = field.getValue();
      headers.add(Map.entry(field.getName(), value == null ? "" : value));
    }

    @Override
    public boolean headerComplete() {
      headDone = true;
      return true;
    }

    @Override
    public boolean content(ByteBuffer bytes) {
      content.add(BufferUtil.copy(bytes));
      bytes.position(bytes.limit());
      return true;
    }

    @Override
    public boolean contentComplete() {
      return false;
    }

    @Override
    public boolean messageComplete() {
      messageDone = true;
      return true;
    }

    @Override
    public void earlyEOF() {
      failure = new EOFException("the connection was closed within an answer");
    }

    @Override
    public void badMessage(HttpException why) {
      failure = why instanceof Throwable thrown ? thrown : new IOException(why.getReason());
    }
  }

  private final class Body extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      while (true) {
        ByteBuffer piece = reader.content.peek();
        if (piece != null) {
          int size = Math.min(length, piece.remaining());
          piece.get(bytes, offset, size);
          if (!piece.hasRemaining()) {
            reader.content.remove();
          }
          if (size > 0) {
            return size;
          }
        } else if (reader.messageDone) {
          return -1;
        } else {
          advance();
        }
      }
    }
  }

  private final class Rest extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (received.hasRemaining()) {
        int size = Math.min(length, received.remaining());
        received.get(bytes, offset, size);
        return size;
      }
      return in.read(bytes, offset, length);
    }
  }
}
