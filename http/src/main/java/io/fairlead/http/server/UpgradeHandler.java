package io.fairlead.http.server;

import java.io.InputStream;
import java.io.OutputStream;

/// What is done with a connection that has left HTTP behind.
public interface UpgradeHandler {
  /// Runs on a thread of its own; the connection is closed when it returns or throws. Closing the
  /// output sends an end of stream to the client, closing the input cuts the connection.
  void run(InputStream in, OutputStream out) throws Exception;
}
