package io.fairlead.e2e.endpoints;

import io.fairlead.controller.endpointslice.ServedModel;
import io.fairlead.controller.endpointslice.SliceModel;
import io.fairlead.controller.endpointslice.TopologyHintsTest;
import io.fairlead.e2e.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// The vectors of the hints through the real server.
@Tag("system")
class ServedTopologyHintsTest extends TopologyHintsTest {
  @TempDir static Path directory;
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.withoutControllers(directory, 36);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  protected SliceModel made() {
    return new ServedModel(new ServerTestNamespace(server));
  }
}
