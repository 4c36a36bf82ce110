package io.fairlead.dns.forward;

import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.work.Pacer;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One server and how it fares.
///
/// How it works: nothing is checked while queries are answered. The first failure starts a loop of
/// probes that ends with the first answer of any kind. Failed probes count; more of them than
/// `max_fails` and the server is down until a probe succeeds.
final class Upstream implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Upstream.class);
  private static final Duration PROBE_TIME = Duration.ofSeconds(1);
  private static final double NANOS = 1e9;

  /// What all upstreams of a line have in common.
  record UpstreamContext(
      ForwardOptions options,
      UpstreamExchange exchange,
      Ticker ticker,
      Pacer pacer,
      RandomGenerator random,
      Histogram durations,
      Counter probeFailures) {
    static UpstreamContext of(
        ForwardOptions options,
        UpstreamExchange exchange,
        Ticker ticker,
        Pacer pacer,
        RandomGenerator random,
        Metrics metrics) {
      return new UpstreamContext(
          options,
          exchange,
          ticker,
          pacer,
          random,
          metrics.histogram(
              "coredns_proxy_request_duration_seconds",
              "Histogram of the time each request took.",
              Metrics.exponential(0.00025, 2, 16),
              "proxy_name",
              "to",
              "rcode"),
          metrics.counter(
              "coredns_proxy_healthcheck_failures_total",
              "Counter of the number of failed healthchecks.",
              "proxy_name",
              "to"));
    }
  }

  private final UpstreamAddress target;
  private final UpstreamContext shared;
  private final Latencies latencies = new Latencies();
  private final AtomicInteger fails = new AtomicInteger();
  private final AtomicReference<@Nullable SupervisedLoop> probes = new AtomicReference<>();
  private volatile boolean closed;

  Upstream(UpstreamAddress target, UpstreamContext shared) {
    this.target = target;
    this.shared = shared;
  }

  UpstreamAddress target() {
    return target;
  }

  /// The time within which nearly all its answers come; empty while too few are known.
  Optional<Duration> usual() {
    return latencies.usual();
  }

  boolean down() {
    int most = shared.options().maxFails();
    return most > 0 && fails.get() > most;
  }

  /// Asks it; an IOException has started the probes.
  DnsMessage ask(DnsMessage query, boolean stream, Duration time) throws IOException {
    long start = shared.ticker().nanos();
    try {
      DnsMessage answer = shared.exchange().ask(target, query, stream, time);
      long took = shared.ticker().nanos() - start;
      latencies.add(took);
      shared
          .durations()
          .labelValues("forward", target.toString(), Rcode.name(answer.rcode()))
          .observe(took / NANOS);
      return answer;
    } catch (IOException e) {
      failed();
      throw e;
    }
  }

  private void failed() {
    if (closed || shared.options().maxFails() == 0 || probes.get() != null) {
      return;
    }
    SupervisedLoop loop =
        SupervisedLoop.of("dns-forward-probe").key(target).build(this::probeUntilWell);
    if (probes.compareAndSet(null, loop)) {
      loop.start();
    }
  }

  private void probeUntilWell() throws InterruptedException {
    if (!closed && !probe()) {
      shared.pacer().pause(shared.options().probe().every());
      return;
    }
    SupervisedLoop self = probes.getAndSet(null);
    if (self != null) {
      self.finish();
    }
  }

  private boolean probe() {
    ForwardOptions.Probe probe = shared.options().probe();
    DnsMessage query =
        DnsMessage.query(
            shared.random().nextInt(0x10000),
            new Question(probe.name(), RecordType.NS, RecordClass.IN),
            probe.recursion() ? Header.RD : 0,
            null);
    try {
      shared.exchange().ask(target, query, shared.options().forceTcp(), PROBE_TIME);
      fails.set(0);
      return true;
    } catch (IOException e) {
      shared.probeFailures().labelValues("forward", target.toString()).inc();
      if (fails.incrementAndGet() == shared.options().maxFails() + 1) {
        log.atWarn().addKeyValue("upstream", target).setCause(e).log("upstream is down");
      }
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    SupervisedLoop running = probes.getAndSet(null);
    if (running != null) {
      running.close();
    }
  }
}
