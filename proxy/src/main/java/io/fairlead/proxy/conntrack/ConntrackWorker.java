package io.fairlead.proxy.conntrack;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Ticker;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.metrics.ProxyMetrics;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Forgets stale conversations on a thread of its own, so that reading a large table never holds
/// back rules. The queue is not bounded: its entries are small, and one lost would leave a
/// conversation with an endpoint that is gone.
public final class ConntrackWorker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ConntrackWorker.class);

  private record Work(IpAddress.Family family, StaleFlows stale) {}

  private final FlowTable table;
  private final ProxyMetrics metrics;
  private final Ticker ticker;
  private final BlockingQueue<Work> waiting = new LinkedBlockingQueue<>();
  private final Thread thread;

  public ConntrackWorker(FlowTable table, ProxyMetrics metrics, Ticker ticker) {
    this.table = table;
    this.metrics = metrics;
    this.ticker = ticker;
    // The kernel is asked by native calls, which would pin a virtual thread.
    this.thread = Thread.ofPlatform().daemon().name("proxy-conntrack").start(this::run);
  }

  /// Rules have changed in a family. Costs nothing when no UDP service port is among the changes.
  public void changed(IpAddress.Family family, PlanDiff diff) {
    StaleFlows stale = StaleFlows.of(diff);
    if (!stale.isEmpty()) {
      waiting.add(new Work(family, stale));
    }
  }

  private void run() {
    try {
      while (true) {
        Work work = waiting.take();
        try {
          clean(work);
        } catch (RuntimeException e) {
          log.atWarn()
              .addKeyValue("family", work.family)
              .setCause(e)
              .log("stale UDP conversations were not removed");
        }
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void clean(Work work) {
    long start = ticker.nanos();
    int deleted = 0;
    for (FlowTable.UdpFlow flow : table.udpFlows(work.family)) {
      if (work.stale.isStale(flow) && table.forget(flow)) {
        deleted++;
      }
    }
    metrics.conntrack(work.family, Duration.ofNanos(ticker.nanos() - start), deleted);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
