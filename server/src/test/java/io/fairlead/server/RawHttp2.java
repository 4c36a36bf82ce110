package io.fairlead.server;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// A client that speaks HTTP/2 frame by frame (RFC 9113), so that it can do what decent clients do
/// not: reset every request at once, or never read. It trusts every server.
final class RawHttp2 implements AutoCloseable {
  static final int ENHANCE_YOUR_CALM = 0xb;
  static final int HUNG_UP = -1;

  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;
  private static final int END_STREAM_AND_HEADERS = 5;
  private static final int CANCEL = 8;

  private final SSLSocket socket;
  private final OutputStream out;
  private int stream = -1;

  RawHttp2(int port) throws Exception {
    socket = (SSLSocket) trustingAll().getSocketFactory().createSocket("127.0.0.1", port);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    out = socket.getOutputStream();
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    out.write(frame(SETTINGS, 0, 0, new byte[0]));
    out.flush();
  }

  /// TLS that takes any certificate.
  static SSLContext trustingAll() throws java.security.GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustAll()}, new SecureRandom());
    return context;
  }

  /// Asks for a path as the user of that token, and takes it back at once if told so.
  void request(String path, String token, boolean reset) throws IOException {
    stream += 2;
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    // The names by their numbers in the static table, RFC 7541 appendix A.
    block.write(0x82); // :method GET
    block.write(0x87); // :scheme https
    literal(block, 0x01, "127.0.0.1"); // :authority
    literal(block, 0x04, path); // :path
    block.write(0x0f); // authorization, number 23 = 15 + 8
    literal(block, 0x08, "Bearer " + token);
    byte[] frames = frame(HEADERS, END_STREAM_AND_HEADERS, stream, block.toByteArray());
    if (reset) {
      byte[] taken = frame(RST_STREAM, 0, stream, ByteBuffer.allocate(4).putInt(CANCEL).array());
      frames = ByteBuffer.allocate(frames.length + taken.length).put(frames).put(taken).array();
    }
    out.write(frames);
    out.flush();
  }

  /// Reads until the server says goodbye, and returns why, or [#HUNG_UP] when it closed the
  /// connection in the middle of what we were sending, which throws away what it said.
  int awaitGoAway() {
    try {
      socket.setSoTimeout(60_000);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        in.skipNBytes(5);
        byte[] payload = in.readNBytes(length);
        if (type == GOAWAY) {
          return ByteBuffer.wrap(payload).getInt(4);
        }
      }
    } catch (EOFException | SocketException e) {
      return HUNG_UP;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void literal(ByteArrayOutputStream block, int name, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length > 126) {
      throw new IllegalArgumentException("too long for one byte of length: " + value);
    }
    block.write(name);
    block.write(bytes.length);
    block.writeBytes(bytes);
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static final class TrustAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket on) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket on) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine on) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine on) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
