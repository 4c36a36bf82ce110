package io.fairlead.server.stream;

import java.io.IOException;
import java.io.OutputStream;

/// What the agent of one node gives of its pods. Blocks; safe for many threads.
public interface PodStreams {
  /// Writes a container's log. An `ApiException` before the first byte is the answer instead.
  void log(String namespace, String pod, LogQuery query, OutputStream out)
      throws IOException, InterruptedException;
}
