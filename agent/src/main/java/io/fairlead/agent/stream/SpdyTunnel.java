package io.fairlead.agent.stream;

import io.fairlead.agent.pipe.BoundedPipe;
import io.fairlead.http.server.MessageConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A byte stream cut into messages at arbitrary places: SPDY inside a WebSocket.
final class SpdyTunnel implements MessageConnection.Receiver {
  private final MessageConnection messages;
  private final BoundedPipe received = new BoundedPipe();

  SpdyTunnel(MessageConnection messages) {
    this.messages = messages;
  }

  @Override
  public void part(byte[] bytes, boolean last) throws IOException {
    received.write(bytes, 0, bytes.length);
  }

  @Override
  public void gone(@Nullable Throwable why) {
    received.finish();
  }

  InputStream input() {
    return received.input();
  }

  OutputStream output() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        messages.send(new byte[] {(byte) b});
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        messages.send(Arrays.copyOfRange(bytes, offset, offset + length));
      }

      @Override
      public void close() {
        messages.close();
      }
    };
  }
}
