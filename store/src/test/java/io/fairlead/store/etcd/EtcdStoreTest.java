package io.fairlead.store.etcd;

import io.fairlead.store.Store;
import io.fairlead.store.WatchContract;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("system")
class EtcdStoreTest extends WatchContract {
  @TempDir static Path directory;
  private static @Nullable EtcdServer server;

  @BeforeAll
  static void startEtcd() throws Exception {
    server = EtcdServer.start(directory);
  }

  @AfterAll
  static void stopEtcd() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected Store open() {
    if (server == null) {
      throw new IllegalStateException("etcd was not started");
    }
    return server.open();
  }

  /// etcd measures time itself; the test waits for the deletion anyway.
  @Override
  protected void pass(int seconds) {}
}
