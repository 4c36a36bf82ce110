package io.fairlead.dns.metrics;

import io.fairlead.dns.wire.Rcode;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// All that the server counts about questions and replies, shown under CoreDNS's names (spec/dns.md
/// 2.12). The counts lie in plain adders; [#collect] adds names and labels.
public final class DnsServerMetrics implements MultiCollector {
  /// Where and for which zone; `dropped` when no block wanted it.
  private record Key(String server, String zone) {}

  private static final String FAST_PATH_PLUGIN = "kubernetes";

  private final Map<Key, QueryStats> stats = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> drops = new ConcurrentHashMap<>();
  private final LongAdder panics = new LongAdder();
  private final LongAdder truncated = new LongAdder();

  public DnsServerMetrics(Metrics metrics) {
    metrics.registry().register(this);
  }

  /// The counts of a zone at a listener.
  public QueryStats stats(String server, String zone) {
    return stats.computeIfAbsent(new Key(server, zone), _ -> new QueryStats());
  }

  /// A plugin threw.
  public void panic() {
    panics.increment();
  }

  public void truncated() {
    truncated.increment();
  }

  /// A packet got no reply.
  public void dropped(String reason) {
    drops.computeIfAbsent(reason, _ -> new LongAdder()).increment();
  }

  @Override
  public MetricSnapshots collect() {
    CounterSnapshot.Builder requests =
        counter("coredns_dns_requests", "Counter of DNS requests made per zone.");
    CounterSnapshot.Builder responses =
        counter("coredns_dns_responses", "Counter of response status codes.");
    CounterSnapshot.Builder dnssec =
        counter("coredns_dns_do_requests", "Counter of DNS requests with the DO bit set.");
    HistogramSnapshot.Builder durations =
        histogram("coredns_dns_request_duration_seconds", "Time each request took.");
    HistogramSnapshot.Builder requestSizes =
        histogram("coredns_dns_request_size_bytes", "Size of the request.");
    HistogramSnapshot.Builder responseSizes =
        histogram("coredns_dns_response_size_bytes", "Size of the response.");
    stats.forEach(
        (key, each) -> {
          requests(requests, key, each);
          responses(responses, key, each);
          if (each.dnssec() > 0) {
            dnssec.dataPoint(point(each.dnssec(), base(key)));
          }
          durations.dataPoint(point(each.duration(), 1e9, base(key)));
          for (boolean tcp : List.of(false, true)) {
            Labels labels = base(key).add("proto", tcp ? "tcp" : "udp");
            requestSizes.dataPoint(point(each.requestSizes(tcp), 1, labels));
            responseSizes.dataPoint(point(each.responseSizes(tcp), 1, labels));
          }
        });
    CounterSnapshot.Builder dropped =
        counter("fairlead_dns_dropped", "Packets that got no reply, by reason.");
    drops.forEach(
        (reason, count) -> dropped.dataPoint(point(count.sum(), Labels.of("reason", reason))));
    return new MetricSnapshots(
        requests.build(),
        responses.build(),
        dnssec.build(),
        durations.build(),
        requestSizes.build(),
        responseSizes.build(),
        dropped.build(),
        counter("fairlead_dns_truncated", "Answers that did not fit into one packet.")
            .dataPoint(point(truncated.sum(), Labels.EMPTY))
            .build(),
        counter("coredns_panics", "Times a plugin threw an exception.")
            .dataPoint(point(panics.sum(), Labels.EMPTY))
            .build());
  }

  private static void requests(CounterSnapshot.Builder builder, Key key, QueryStats stats) {
    for (boolean tcp : List.of(false, true)) {
      for (boolean ipv6 : List.of(false, true)) {
        for (int i = 0; i < QueryTypes.COMMON; i++) {
          long count = stats.common(tcp, ipv6, i);
          if (count > 0) {
            builder.dataPoint(point(count, asked(key, tcp, ipv6, QueryTypes.indexed(i))));
          }
        }
      }
    }
    stats
        .requests()
        .forEach(
            (request, count) ->
                builder.dataPoint(
                    point(count.sum(), asked(key, request.tcp(), request.ipv6(), request.type()))));
  }

  private static Labels asked(Key key, boolean tcp, boolean ipv6, String type) {
    return base(key)
        .add("proto", tcp ? "tcp" : "udp")
        .add("family", ipv6 ? "2" : "1")
        .add("type", type);
  }

  private static void responses(CounterSnapshot.Builder builder, Key key, QueryStats stats) {
    Map<QueryStats.Response, Long> all = new ConcurrentHashMap<>();
    stats.responses().forEach((response, count) -> all.merge(response, count.sum(), Long::sum));
    for (int rcode = 0; rcode < 16; rcode++) {
      if (stats.fastPath(rcode) > 0) {
        all.merge(
            new QueryStats.Response(rcode, FAST_PATH_PLUGIN), stats.fastPath(rcode), Long::sum);
      }
    }
    all.forEach(
        (response, count) ->
            builder.dataPoint(
                point(
                    count,
                    base(key)
                        .add("rcode", Rcode.name(response.rcode()))
                        .add("plugin", response.plugin()))));
  }

  private static Labels base(Key key) {
    return Labels.of("server", key.server(), "zone", key.zone(), "view", "");
  }

  private static CounterSnapshot.Builder counter(String name, String help) {
    return CounterSnapshot.builder().name(name).help(help);
  }

  private static HistogramSnapshot.Builder histogram(String name, String help) {
    return HistogramSnapshot.builder().name(name).help(help);
  }

  private static CounterSnapshot.CounterDataPointSnapshot point(long value, Labels labels) {
    return CounterSnapshot.CounterDataPointSnapshot.builder().value(value).labels(labels).build();
  }

  private static HistogramSnapshot.HistogramDataPointSnapshot point(
      HistogramBuckets buckets, double unit, Labels labels) {
    double[] bounds = buckets.bounds();
    double[] upper = Arrays.copyOf(bounds, bounds.length + 1);
    upper[bounds.length] = Double.POSITIVE_INFINITY;
    long[] counts = buckets.counts();
    Number[] numbers = new Number[counts.length];
    for (int i = 0; i < counts.length; i++) {
      numbers[i] = counts[i];
    }
    return HistogramSnapshot.HistogramDataPointSnapshot.builder()
        .classicHistogramBuckets(
            ClassicHistogramBuckets.of(
                Arrays.stream(upper).boxed().toList(), Arrays.asList(numbers)))
        .sum(buckets.sum() / unit)
        .labels(labels)
        .build();
  }
}
