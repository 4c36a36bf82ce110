package io.fairlead.dns.cache;

import io.fairlead.dns.metrics.Metrics;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;

/// What a cache counts, under CoreDNS's names.
record CacheMetrics(
    String zones,
    Gauge entries,
    Counter hits,
    Counter evictions,
    Counter requests,
    Counter misses,
    Counter prefetch,
    Counter drops,
    Counter stale) {
  private static final String[] TYPED = {"server", "type", "zones", "view"};
  private static final String[] PLAIN = {"server", "zones", "view"};

  static CacheMetrics of(Metrics metrics, String zones) {
    return new CacheMetrics(
        zones,
        metrics.gauge("coredns_cache_entries", "The number of elements in the cache.", TYPED),
        metrics.counter("coredns_cache_hits_total", "The count of cache hits.", TYPED),
        metrics.counter("coredns_cache_evictions_total", "The count of cache evictions.", TYPED),
        metrics.counter("coredns_cache_requests_total", "The count of cache requests.", PLAIN),
        metrics.counter("coredns_cache_misses_total", "The count of cache misses.", PLAIN),
        metrics.counter(
            "coredns_cache_prefetch_total",
            "The number of times the cache has prefetched a cached item.",
            PLAIN),
        metrics.counter(
            "coredns_cache_drops_total",
            "The number responses that are not cached, because the reply is malformed.",
            PLAIN),
        metrics.counter(
            "coredns_cache_served_stale_total",
            "The number of requests served from stale cache entries.",
            PLAIN));
  }

  CounterDataPoint point(Counter counter, String server) {
    return counter.labelValues(server, zones, "");
  }

  CounterDataPoint point(Counter counter, String server, Cacheability kind) {
    return counter.labelValues(server, type(kind), zones, "");
  }

  void count(Counter counter, String server) {
    point(counter, server).inc();
  }

  void count(Counter counter, String server, Cacheability kind, long amount) {
    point(counter, server, kind).inc(amount);
  }

  void size(String server, Cacheability kind, int size) {
    entries.labelValues(server, type(kind), zones, "").set(size);
  }

  private static String type(Cacheability kind) {
    return kind == Cacheability.SUCCESS ? "success" : "denial";
  }
}
