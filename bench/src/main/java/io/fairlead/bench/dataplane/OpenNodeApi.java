package io.fairlead.bench.dataplane;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.bench.testbed.NetworkTestbed;
import io.fairlead.proxy.core.AuditReport;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.mode.ControlSocket;
import io.fairlead.proxy.nodeapi.NodeApi;
import io.fairlead.proxy.nodeapi.NodeApiRequest;
import io.fairlead.proxy.nodeapi.NodePodDirectory;
import io.fairlead.proxy.nodeapi.NodeView;
import io.fairlead.proxy.runtime.WrittenState;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The node API of a node, open and asked once, while connections are measured beside it.
final class OpenNodeApi implements AutoCloseable {
  private static final ChangeRing NO_CHANGES = new ChangeRing("proxy", 0);
  private static final Plan PLAN = Plan.empty(NodeFacts.of("bench", NetworkTestbed.NODE));

  private final Path directory;
  private final ControlSocket socket;

  OpenNodeApi(NetworkTestbed site) {
    NodeApi api = new NodeApi(view(), InstantSource.system(), Ticker.system(), Pacer.system());
    try {
      directory = Files.createTempDirectory("node-api");
      Path path = directory.resolve("proxy.sock");
      socket = site.node().call(() -> ControlSocket.open(path, message -> answer(api, message)));
      ObjectNode _ = ControlSocket.ask(path, Json.object().put("path", "about"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode answer(NodeApi api, ObjectNode message) {
    try {
      return api.answer(NodeApiRequest.of(message, "root", NodePodDirectory.NONE)).body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Json.object();
    }
  }

  private static NodeView view() {
    return new NodeView() {
      @Override
      public String nodeName() {
        return "bench";
      }

      @Override
      public String version() {
        return "bench";
      }

      @Override
      public ProxyMode mode() {
        return ProxyMode.NFTABLES;
      }

      @Override
      public Map<IpAddress.Family, WrittenState> written() {
        return Map.of(
            IpAddress.Family.IPV4,
            new WrittenState(PLAN, "1", "1", Instant.EPOCH, Duration.ZERO, 0, ""));
      }

      @Override
      public AuditReport audit(ProxyMode mode, Plan plan) {
        return AuditReport.absent();
      }

      @Override
      public ChangeRing changes() {
        return NO_CHANGES;
      }
    };
  }

  @Override
  public void close() {
    socket.close();
    try {
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
