package io.fairlead.server.http;

import java.io.InputStream;
import java.io.OutputStream;

/// What is done with a connection that has left HTTP behind.
public interface RawStreams {
  /// Runs on a thread of its own; the connection is closed when it returns or throws. Closing the
  /// output tells the client that nothing more comes, closing the input cuts the connection.
  void run(InputStream in, OutputStream out) throws Exception;
}
