package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.Statuses;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.transport.ConnectionException;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Tells the cluster how far this node's rules are, in a Lease: every ten seconds, and at once when
/// somebody may be waiting for it. What comes up while one is sent goes out together.
///
/// A cluster that does not let the proxy write there is told of once in the log; then nobody can
/// wait for this proxy, and nothing else is different. One thread of its own.
final class Reporter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Reporter.class);
  private static final long RENEW_SECONDS = 10;

  private final Client client;
  private final String node;
  private final InstantSource clock;
  private final Map<IpAddress.Family, SyncLoop> loops;
  private final BlockingQueue<Boolean> news = new ArrayBlockingQueue<>(1);
  private final Thread thread;
  private boolean refused;

  /// @param loops what writes rules, complete before the start
  Reporter(Client client, String node, InstantSource clock, Map<IpAddress.Family, SyncLoop> loops) {
    this.client = client;
    this.node = node;
    this.clock = clock;
    this.loops = loops;
    this.thread = Thread.ofVirtual().name("proxy report").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /// There is something somebody may be waiting for. Never blocks.
  void tell() {
    // A full queue means that it will be told anyway.
    boolean _ = news.offer(true);
  }

  /// The newest version of slices that rules show, by address type.
  private Map<String, String> written() {
    Map<String, String> versions = new TreeMap<>();
    loops.forEach(
        (family, loop) ->
            versions.put(
                family == IpAddress.Family.IPV4 ? "IPv4" : "IPv6",
                // Rules of an earlier process may still lead anywhere.
                loop.writtenSlices().isEmpty() ? "0" : loop.writtenSlices()));
    return versions;
  }

  private void run() {
    try {
      while (true) {
        send();
        Boolean _ = news.poll(RENEW_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void send() {
    ObjectNode lease = ProxyReport.now(node, written(), clock.instant()).toLease();
    ObjectKey key = ProxyReport.key(node);
    try {
      try {
        client.patch(ResourceType.LEASES, key, PatchType.MERGE, lease);
      } catch (ApiException e) {
        if (!Statuses.isNotFound(e)) {
          throw e;
        }
        client.create(ResourceType.LEASES, key.namespace(), lease);
      }
      refused = false;
    } catch (ApiException | ConnectionException e) {
      if (!refused) {
        refused = true;
        log.atInfo()
            .addKeyValue("why", e.getMessage())
            .log("cannot tell how far the rules are: no pod's end waits for this proxy");
      }
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
