package io.fairlead.dns.server;

import io.fairlead.dns.metrics.DnsServerMetrics;
import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.dns.plugin.FastPathAnswers.FastPathLookup;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.work.Ticker;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The fast path of all blocks of a listener, for one thread. Rebuilt when a reload has changed the
/// blocks.
final class FastPathLookups {
  private static final int UDP_PLAIN = 512;
  private static final int LARGEST = 65_535;

  private final RandomGenerator random;
  private final DnsServerMetrics metrics;
  private final Ticker ticker;
  private @Nullable Router router;
  private @Nullable FastPathLookup[] lookups = {};

  FastPathLookups(RandomGenerator random, DnsServerMetrics metrics, Ticker ticker) {
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
    FastPathLookup lookup = route == null ? null : lookups[route.number()];
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
      route.stats().fastPathResponse(tcp, out[3] & 15, length, ticker.nanos() - started);
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
    List<ServerBlockInstance> blocks = now.blocks();
    lookups = new FastPathLookup[blocks.size()];
    for (int i = 0; i < lookups.length; i++) {
      lookups[i] = blocks.get(i).fastPath().map(answers -> answers.lookup(random)).orElse(null);
    }
    router = now;
  }
}
