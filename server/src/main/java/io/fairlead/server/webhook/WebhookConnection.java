package io.fairlead.server.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fairlead.http.message.HttpHead;
import io.fairlead.http.message.HttpResponseReader;
import io.fairlead.http.tls.TlsPolicy;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/// A TLS connection to a webhook, for one request after the other. Belongs to one thread at a time;
/// [#abort] may be called by any.
final class WebhookConnection {
  private static final int BUFFER = 16 << 10;
  private static final int MOST_HEAD_BYTES = 64 << 10;

  /// An answer of at most the bytes that were allowed.
  record Answer(int code, HttpHead head, byte[] body) {}

  private final Socket plain;
  private final InputStream in;
  private final OutputStream out;
  private boolean used;
  private boolean reusable = true;

  private WebhookConnection(Socket plain, SSLSocket secured) throws IOException {
    this.plain = plain;
    this.in = new BufferedInputStream(secured.getInputStream(), BUFFER);
    this.out = secured.getOutputStream();
  }

  /// Connects, and makes sure that the peer is who it should be.
  ///
  /// @param plain not connected; the attempt ends when it is closed
  static WebhookConnection open(
      Socket plain, InetSocketAddress address, String serverName, SSLContext tls)
      throws IOException {
    try {
      plain.setTcpNoDelay(true);
      plain.connect(address);
      SSLSocket secured =
          (SSLSocket)
              tls.getSocketFactory().createSocket(plain, serverName, address.getPort(), true);
      SSLParameters parameters = secured.getSSLParameters();
      TlsPolicy.restrict(parameters);
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      secured.setSSLParameters(parameters);
      secured.startHandshake();
      return new WebhookConnection(plain, secured);
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    }
  }

  /// Whether an answer came over it before: then the peer may have closed it meanwhile.
  boolean isUsed() {
    return used;
  }

  /// Whether another request may follow.
  boolean isReusable() {
    return reusable;
  }

  /// Sends a document and reads the whole answer.
  ///
  /// @throws IOException also when the answer is larger than that
  Answer post(String target, String host, byte[] body, int mostBytes) throws IOException {
    reusable = false;
    String head =
        "POST "
            + target
            + " HTTP/1.1\r\nHost: "
            + host
            + "\r\nUser-Agent: fairlead\r\nAccept: application/json\r\n"
            + "Content-Type: application/json\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    // One write for small documents: one record, one packet.
    byte[] first = head.getBytes(ISO_8859_1);
    if (body.length <= BUFFER) {
      byte[] both = new byte[first.length + body.length];
      System.arraycopy(first, 0, both, 0, first.length);
      System.arraycopy(body, 0, both, first.length, body.length);
      out.write(both);
    } else {
      out.write(first);
      out.write(body);
    }
    out.flush();
    HttpResponseReader answer = HttpResponseReader.read(in, "POST", MOST_HEAD_BYTES);
    used = true;
    byte[] content = answer.body().readNBytes(mostBytes + 1);
    if (content.length > mostBytes) {
      throw new IOException("the answer is larger than " + mostBytes + " bytes");
    }
    // What was read ended where its length says, so the connection stands at the next answer.
    reusable = isDelimited(answer.head()) && content.length <= mostBytes;
    return new Answer(answer.code(), answer.head(), content);
  }

  private static boolean isDelimited(HttpHead head) {
    boolean ends =
        !head.header("Content-Length").isEmpty()
            || head.header("Transfer-Encoding").equalsIgnoreCase("chunked");
    return ends
        && head.startLine().startsWith("HTTP/1.1")
        && !List.of(head.header("Connection").split(",", -1)).contains("close");
  }

  /// Ends it at once, also while another thread reads or writes.
  void abort() {
    try {
      // Not the TLS socket: that would wait for a write which is under way.
      plain.close();
    } catch (IOException _) {
      // It is gone either way.
    }
  }
}
