package io.fairlead.server;

import static org.awaitility.Awaitility.await;

import io.fairlead.store.testing.MemoryStore;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Open watches cost no thread of the few that shake hands: more of them than the server has such
/// threads leave it free for others.
class ManyWatchersTest {
  private static final int WATCHERS = 150;
  private static final String WATCH =
      "GET /api/v1/namespaces/default/configmaps?watch=1 HTTP/1.1\r\n"
          + "Host: x\r\nAuthorization: Bearer admin\r\n\r\n";

  @TempDir Path pki;

  @Test
  void allAreServedAndSoIsTheNext() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try (MemoryStore store = new MemoryStore();
        ApiServer server =
            TestServer.startTls(pki, new SharedStore(store), ApiServerConfig.Limits.DEFAULT)) {
      try {
        for (int i = 0; i < WATCHERS; i++) {
          Socket socket =
              RawHttp2.trustingAll().getSocketFactory().createSocket("127.0.0.1", server.port());
          sockets.add(socket);
          socket.setSoTimeout(60_000);
          // The first write shakes hands, so that the request comes together with its end.
          socket.getOutputStream().write(WATCH.getBytes(StandardCharsets.US_ASCII));
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> server.openWatches() == WATCHERS);
      } finally {
        for (Socket socket : sockets) {
          socket.close();
        }
      }
    }
  }
}
