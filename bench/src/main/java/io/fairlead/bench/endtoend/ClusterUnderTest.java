package io.fairlead.bench.endtoend;

import io.fairlead.client.Client;
import java.io.IOException;

/// A whole cluster of one node, on the machine this process runs on. Closing it takes everything
/// away.
public interface ClusterUnderTest extends AutoCloseable {
  /// The API, with all rights.
  Client client();

  /// Memory of all its processes.
  double residentMegabytes() throws IOException;

  @Override
  void close();
}
