package io.fairlead.dns.server;

import io.fairlead.client.time.Ticker;
import io.fairlead.dns.metrics.ServerMetrics;
import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.dns.plugin.ReadyAnswers.ReadyLookup;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.RecordClass;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The ready answers of all blocks of a listener, for one thread. Made anew when a reload has
/// changed the blocks.
final class Lookups {
  private static final int UDP_PLAIN = 512;
  private static final int LARGEST = 65_535;

  private final RandomGenerator random;
  private final ServerMetrics metrics;
  private final Ticker ticker;
  private @Nullable Router router;
  private @Nullable ReadyLookup[] lookups = {};

  Lookups(RandomGenerator random, ServerMetrics metrics, Ticker ticker) {
    this.random = random;
    this.metrics = metrics;
    this.ticker = ticker;
  }

  /// The length of the reply written, or 0 when the chain has to be asked.
  int answer(Router now, QueryView view, byte[] out, boolean tcp, boolean ipv6) {
    if (view.recordClass() != RecordClass.IN || view.hasOptions()) {
      return 0;
    }
    if (!now.equals(router)) {
      take(now);
    }
    Router.Route route = now.route(view);
    ReadyLookup lookup = route == null ? null : lookups[route.number()];
    if (route == null || lookup == null) {
      return 0;
    }
    long started = ticker.nanos();
    BlockSettings settings = route.block().settings();
    int udpLimit = settings.udpLimit();
    int limit = tcp ? LARGEST : udpLimit(view, udpLimit);
    int length = lookup.answer(view, out, limit, udpLimit);
    if (length > 0) {
      route.stats().request(tcp, ipv6, view.type(), view.dnssecOk(), view.length());
      route.stats().readyResponse(tcp, out[3] & 15, length, ticker.nanos() - started);
      if ((out[2] & 2) != 0) {
        metrics.truncated();
      }
    }
    return length;
  }

  private static int udpLimit(QueryView view, int most) {
    return view.edns() ? Math.max(UDP_PLAIN, Math.min(view.udpSize(), most)) : UDP_PLAIN;
  }

  private void take(Router now) {
    List<Block> blocks = now.blocks();
    lookups = new ReadyLookup[blocks.size()];
    for (int i = 0; i < lookups.length; i++) {
      lookups[i] = blocks.get(i).ready().map(ready -> ready.lookup(random)).orElse(null);
    }
    router = now;
  }
}
