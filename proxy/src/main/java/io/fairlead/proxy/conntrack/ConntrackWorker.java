package io.fairlead.proxy.conntrack;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.conntrack.ConntrackTable.FlowPattern;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.monitoring.ProxyMetrics;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes stale conntrack entries in a loop of its own, `proxy-conntrack`, so that reading a large
/// table never holds back rules. The queue is not bounded: its entries are small, and one lost
/// would leave a conversation with an endpoint that is gone.
public final class ConntrackWorker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ConntrackWorker.class);

  private record Work(IpAddress.Family family, StaleFlows stale) {}

  private final ConntrackTable table;
  private final ProxyMetrics metrics;
  private final Ticker ticker;
  private final BlockingQueue<Work> waiting = new LinkedBlockingQueue<>();
  private final SupervisedLoop loop;

  public ConntrackWorker(ConntrackTable table, ProxyMetrics metrics, Ticker ticker) {
    this.table = table;
    this.metrics = metrics;
    this.ticker = ticker;
    // The kernel is asked by native calls, which would pin a virtual thread.
    this.loop = SupervisedLoop.of("proxy-conntrack").platform().start(this::next);
  }

  /// Rules have changed in a family. Costs nothing when no UDP service port is among the changes.
  public void changed(IpAddress.Family family, PlanDiff diff) {
    StaleFlows stale = StaleFlows.of(diff);
    if (!stale.isEmpty()) {
      waiting.add(new Work(family, stale));
    }
  }

  private void next() throws InterruptedException {
    Work work = waiting.take();
    try {
      clean(work);
    } catch (RuntimeException e) {
      // The kernel refused: another attempt would not help, and later work must not wait.
      log.atWarn()
          .addKeyValue("family", work.family)
          .setCause(e)
          .log("stale UDP conversations were not removed");
    }
  }

  private void clean(Work work) {
    long start = ticker.nanos();
    List<FlowPattern> patterns = work.stale.patterns();
    // Most of what is stale goes at once; the look afterwards finds the rest.
    int atOnce = patterns.isEmpty() ? 0 : table.forgetAll(work.family, patterns);
    List<ConntrackTable.UdpFlow> stale =
        table.udpFlows(work.family).stream().filter(work.stale::isStale).toList();
    int deleted = atOnce + (stale.isEmpty() ? 0 : table.forget(stale));
    metrics.conntrack(work.family, Duration.ofNanos(ticker.nanos() - start), deleted);
  }

  @Override
  public void close() {
    loop.close();
  }
}
