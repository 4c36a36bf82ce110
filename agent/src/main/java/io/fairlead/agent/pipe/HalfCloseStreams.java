package io.fairlead.agent.pipe;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/// The two ways of a socket, each of which can be closed without the other.
public final class HalfCloseStreams {
  private HalfCloseStreams() {}

  /// What comes; closing it ends the reading side.
  public static InputStream input(Socket socket) throws IOException {
    return new FilterInputStream(socket.getInputStream()) {
      @Override
      public void close() throws IOException {
        if (!socket.isClosed() && !socket.isInputShutdown()) {
          socket.shutdownInput();
        }
      }
    };
  }

  /// What goes; closing it signals the other side that nothing more comes.
  public static OutputStream output(Socket socket) throws IOException {
    return new FilterOutputStream(socket.getOutputStream()) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
      }

      @Override
      public void close() throws IOException {
        if (!socket.isClosed() && !socket.isOutputShutdown()) {
          socket.shutdownOutput();
        }
      }
    };
  }
}
