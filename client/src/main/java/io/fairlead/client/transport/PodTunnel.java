package io.fairlead.client.transport;

import io.fairlead.http.message.HttpClientConnection;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/// One connection to a port of a pod, inside a WebSocket (RFC 6455) of `pods/portforward`: the
/// first byte of each message is a channel, 0 for the pod's bytes and 1 for what went wrong, and
/// each channel begins with the port, two bytes.
///
/// It is a socket, so that TLS can be spoken through it. One thread reads, one writes.
final class PodTunnel extends Socket {
  static final String PROTOCOL = "v4.channel.k8s.io";

  private static final int BYTES = 0;
  private static final int PORT_LENGTH = 2;
  private static final int FIN = 0x80;
  private static final int MASKED = 0x80;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;
  private static final int LARGEST_FRAME = 4 << 20;

  private final HttpClientConnection connection;
  private final Socket carrier;
  private final SecureRandom random = new SecureRandom();
  private final InputStream received;
  private final OutputStream sent = new Sent();

  /// @param carrier the socket of the connection
  /// @param connection after the answer that changed the protocol
  PodTunnel(Socket carrier, HttpClientConnection connection) {
    this.carrier = carrier;
    this.connection = connection;
    this.received = new Received(connection.rest());
  }

  @Override
  public InputStream getInputStream() {
    return received;
  }

  @Override
  public OutputStream getOutputStream() {
    return sent;
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public boolean isClosed() {
    return carrier.isClosed();
  }

  @Override
  public void close() throws IOException {
    carrier.close();
  }

  private synchronized void frame(int operation, byte[] payload) throws IOException {
    int length = payload.length;
    ByteBuffer head = ByteBuffer.allocate(14).put((byte) (FIN | operation));
    if (length < 126) {
      head.put((byte) (MASKED | length));
    } else if (length < 1 << 16) {
      head.put((byte) (MASKED | 126)).putShort((short) length);
    } else {
      head.put((byte) (MASKED | 127)).putLong(length);
    }
    byte[] mask = new byte[4];
    random.nextBytes(mask);
    head.put(mask).flip();
    byte[] whole = new byte[head.remaining() + length];
    int begin = head.remaining();
    head.get(whole, 0, begin);
    for (int i = 0; i < length; i++) {
      whole[begin + i] = (byte) (payload[i] ^ mask[i & 3]);
    }
    OutputStream out = connection.output();
    out.write(whole);
    out.flush();
  }

  private final class Sent extends OutputStream {
    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      byte[] message = new byte[count + 1];
      message[0] = BYTES;
      System.arraycopy(bytes, offset, message, 1, count);
      frame(BINARY, message);
    }
  }

  private final class Received extends InputStream {
    private final DataInputStream in;
    // Of each channel, how much of the port has not come yet.
    private final int[] ahead = {PORT_LENGTH, PORT_LENGTH};
    private byte[] part = new byte[0];
    private int from;
    private int channel;
    private boolean first = true;

    Received(InputStream frames) {
      this.in = new DataInputStream(frames);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
      while (from == part.length) {
        if (!next()) {
          return -1;
        }
      }
      int taken = Math.min(count, part.length - from);
      System.arraycopy(part, from, into, offset, taken);
      from += taken;
      return taken;
    }

    /// Reads one frame. False at the end of the messages.
    private boolean next() throws IOException {
      int head = in.read();
      if (head < 0) {
        return false;
      }
      byte[] payload = payload();
      switch (head & 0x0f) {
        case CLOSE -> {
          return false;
        }
        case PING -> frame(PONG, payload);
        case PONG -> {}
        default -> {
          message(payload);
          first = (head & FIN) != 0;
        }
      }
      return true;
    }

    private byte[] payload() throws IOException {
      long length = in.readUnsignedByte();
      if (length == 126) {
        length = in.readUnsignedShort();
      } else if (length == 127) {
        length = in.readLong();
      }
      // A server masks nothing, so the highest bit of a length is not set either.
      if (length < 0 || length > LARGEST_FRAME) {
        throw new ProtocolException("a WebSocket frame of " + length + " bytes");
      }
      byte[] payload = new byte[(int) length];
      try {
        in.readFully(payload);
      } catch (EOFException e) {
        throw new IOException("the connection ended within a WebSocket frame", e);
      }
      return payload;
    }

    private void message(byte[] payload) throws IOException {
      int begin = 0;
      if (first && payload.length > 0) {
        channel = payload[0];
        begin = 1;
      }
      if (channel < 0 || channel >= ahead.length) {
        throw new ProtocolException("a message for channel " + channel);
      }
      int skipped = Math.min(ahead[channel], payload.length - begin);
      ahead[channel] -= skipped;
      begin += skipped;
      if (channel == BYTES) {
        part = payload;
        from = begin;
      } else if (begin < payload.length) {
        throw new IOException(
            new String(payload, begin, payload.length - begin, StandardCharsets.UTF_8));
      }
    }
  }
}
