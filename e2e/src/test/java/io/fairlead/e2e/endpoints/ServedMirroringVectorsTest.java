package io.fairlead.e2e.endpoints;

import io.fairlead.controller.golden.ClusterFixture;
import io.fairlead.controller.mirroring.MirroringVectorsTest;
import io.fairlead.e2e.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// The vectors MI through the real server, with its defaults, its validation and its permissions.
@Tag("system")
class ServedMirroringVectorsTest extends MirroringVectorsTest {
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
  protected ClusterFixture ground() {
    return new ServerTestNamespace(server);
  }

  @Override
  protected boolean onRealServer() {
    return true;
  }
}
