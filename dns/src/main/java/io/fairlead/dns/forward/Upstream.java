package io.fairlead.dns.forward;

import io.fairlead.client.time.Pacer;
import io.fairlead.client.time.Ticker;
import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Message;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordType;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
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
  record Shared(
      ForwardOptions options,
      Exchange exchange,
      Ticker ticker,
      Pacer pacer,
      RandomGenerator random,
      Histogram durations,
      Counter probeFailures) {
    static Shared of(
        ForwardOptions options,
        Exchange exchange,
        Ticker ticker,
        Pacer pacer,
        RandomGenerator random,
        Metrics metrics) {
      return new Shared(
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

  private final Target target;
  private final Shared shared;
  private final Latencies latencies = new Latencies();
  private final AtomicInteger fails = new AtomicInteger();
  private final AtomicBoolean probing = new AtomicBoolean();
  private volatile boolean closed;

  Upstream(Target target, Shared shared) {
    this.target = target;
    this.shared = shared;
  }

  Target target() {
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
  Message ask(Message query, boolean stream, Duration time) throws IOException {
    long start = shared.ticker().nanos();
    try {
      Message answer = shared.exchange().ask(target, query, stream, time);
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
    if (shared.options().maxFails() == 0 || !probing.compareAndSet(false, true)) {
      return;
    }
    Thread.ofVirtual().name("dns-forward-probe-" + target).start(this::probeUntilWell);
  }

  private void probeUntilWell() {
    try {
      while (!closed && !probe()) {
        shared.pacer().pause(shared.options().probe().every());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      probing.set(false);
    }
  }

  private boolean probe() {
    ForwardOptions.Probe probe = shared.options().probe();
    Message query =
        Message.query(
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
  }
}
