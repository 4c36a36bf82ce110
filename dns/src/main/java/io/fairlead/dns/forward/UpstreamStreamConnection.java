package io.fairlead.dns.forward;

import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.WireException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// TCP and TLS: each message behind its length (RFC 1035 4.2.2).
final class UpstreamStreamConnection implements UpstreamConnection {
  private static final Logger log = LoggerFactory.getLogger(UpstreamStreamConnection.class);

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;

  UpstreamStreamConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
  }

  @Override
  public DnsMessage ask(DnsMessage query, Duration time) throws IOException {
    socket.setSoTimeout((int) Math.max(1, time.toMillis()));
    byte[] bytes = query.write(SocketExchange.LARGEST);
    byte[] framed = new byte[bytes.length + 2];
    framed[0] = (byte) (bytes.length >> 8);
    framed[1] = (byte) bytes.length;
    System.arraycopy(bytes, 0, framed, 2, bytes.length);
    out.write(framed);
    out.flush();
    byte[] answer = new byte[in.readUnsignedShort()];
    in.readFully(answer);
    try {
      DnsMessage message = DnsMessage.read(answer);
      if (message.header().id() != query.header().id()) {
        throw new IOException("the upstream answered another query");
      }
      return message;
    } catch (WireException e) {
      throw new IOException("the upstream sent no DNS message: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      log.debug("close failed", e);
    }
  }
}
