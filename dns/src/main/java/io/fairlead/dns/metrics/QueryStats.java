package io.fairlead.dns.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Counts of one zone at one listener. Cheap to add to, from any thread.
public final class QueryStats {
  /// Upper bounds of how long an answer took, in seconds.
  static final double[] DURATIONS = Metrics.exponential(0.00025, 2, 16);

  /// Upper bounds of message sizes in bytes.
  static final double[] SIZES = {
    0, 100, 200, 300, 400, 511, 1023, 2047, 4095, 8291, 16e3, 32e3, 48e3, 64e3
  };

  /// How a question came.
  record Request(boolean tcp, boolean ipv6, String type) {}

  /// Which plugin answered with which code.
  record Response(int rcode, String plugin) {}

  private final Map<Request, LongAdder> requests = new ConcurrentHashMap<>();
  private final Map<Response, LongAdder> responses = new ConcurrentHashMap<>();
  // The common ones, indexed without a map: by transport, family and type; by code.
  private final LongAdder[] common = adders(2 * 2 * QueryTypes.COMMON);
  private final LongAdder[] fastPath = adders(16);
  private final HistogramBuckets duration = new HistogramBuckets(DURATIONS);
  private final HistogramBuckets[] requestSizes = {
    new HistogramBuckets(SIZES), new HistogramBuckets(SIZES)
  };
  private final HistogramBuckets[] responseSizes = {
    new HistogramBuckets(SIZES), new HistogramBuckets(SIZES)
  };
  private final LongAdder dnssec = new LongAdder();

  private static LongAdder[] adders(int count) {
    LongAdder[] adders = new LongAdder[count];
    for (int i = 0; i < count; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }

  /// One question.
  public void request(boolean tcp, boolean ipv6, int type, boolean dnssecOk, int size) {
    int index = QueryTypes.index(type);
    if (index >= 0) {
      common[((tcp ? 2 : 0) + (ipv6 ? 1 : 0)) * QueryTypes.COMMON + index].increment();
    } else {
      requests
          .computeIfAbsent(new Request(tcp, ipv6, QueryTypes.label(type)), _ -> new LongAdder())
          .increment();
    }
    if (dnssecOk) {
      dnssec.increment();
    }
    requestSizes[tcp ? 1 : 0].add(size, size);
  }

  /// The reply to one, by the fast path.
  public void fastPathResponse(boolean tcp, int rcode, int size, long nanos) {
    fastPath[rcode & 15].increment();
    sized(tcp, size, nanos);
  }

  /// The reply to one, made by a chain.
  public void response(boolean tcp, int rcode, String plugin, int size, long nanos) {
    responses.computeIfAbsent(new Response(rcode, plugin), _ -> new LongAdder()).increment();
    sized(tcp, size, nanos);
  }

  private void sized(boolean tcp, int size, long nanos) {
    responseSizes[tcp ? 1 : 0].add(size, size);
    duration.add(nanos / 1e9, nanos);
  }

  Map<Request, LongAdder> requests() {
    return requests;
  }

  Map<Response, LongAdder> responses() {
    return responses;
  }

  long common(boolean tcp, boolean ipv6, int index) {
    return common[((tcp ? 2 : 0) + (ipv6 ? 1 : 0)) * QueryTypes.COMMON + index].sum();
  }

  long fastPath(int rcode) {
    return fastPath[rcode].sum();
  }

  HistogramBuckets duration() {
    return duration;
  }

  HistogramBuckets requestSizes(boolean tcp) {
    return requestSizes[tcp ? 1 : 0];
  }

  HistogramBuckets responseSizes(boolean tcp) {
    return responseSizes[tcp ? 1 : 0];
  }

  long dnssec() {
    return dnssec.sum();
  }
}
