package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.server.limits.Watchdog;
import io.fairlead.store.CommitResult;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.WatchListener;
import io.fairlead.store.Write;
import io.fairlead.store.testing.MemoryStore;
import io.fairlead.work.LoopRegistry;
import io.fairlead.work.LoopStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A server whose start fails halfway leaves nothing behind.
class FailedStartTest {
  @Test
  void aFailedBootstrapClosesEverythingThatWasOpened() throws Exception {
    int port = freePort();
    int before = watchdogs();
    try (MemoryStore memory = new MemoryStore()) {
      WriteRefusingStore store = new WriteRefusingStore(memory);
      assertThatThrownBy(() -> TestServer.startAt(store, "127.0.0.1", port, "192.0.2.1"))
          .hasStackTraceContaining("the disk is full");
      assertThat(store.openWatches).as("watches of the store").hasValue(0);
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(watchdogs()).as("watchdogs").isEqualTo(before));
      try (ServerSocket again = new ServerSocket()) {
        again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        assertThat(again.isBound()).isTrue();
      }
    }
  }

  private static int watchdogs() {
    return LoopRegistry.statuses().stream()
        .filter(each -> each.kind().equals(Watchdog.LOOP))
        .mapToInt(LoopStatus::running)
        .sum();
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /// Counts its open watches and takes no writes.
  private static final class WriteRefusingStore extends SharedStore {
    private final AtomicInteger openWatches = new AtomicInteger();

    WriteRefusingStore(MemoryStore store) {
      super(store);
    }

    @Override
    public CommitResult commit(List<Write> writes) {
      throw new StoreException("the disk is full", null);
    }

    @Override
    public Watch watch(String prefix, long afterRevision, WatchListener listener) {
      Watch opened = super.watch(prefix, afterRevision, listener);
      openWatches.incrementAndGet();
      return new Watch() {
        @Override
        public void requestProgress() {
          opened.requestProgress();
        }

        @Override
        public void close() {
          opened.close();
          openWatches.decrementAndGet();
        }
      };
    }
  }
}
