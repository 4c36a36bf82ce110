package io.fairlead.dns.status;

import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.HealthDetail;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.http.status.LoopHealth;
import io.fairlead.http.status.StatusPage;
import io.fairlead.work.SupervisedLoop;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves `/health`, measures it by asking it, and delays the end of the process (`lameduck`).
final class HealthPlugin implements Plugin {
  private static final Logger log = LoggerFactory.getLogger(HealthPlugin.class);
  private static final String PATH = "/health";
  private static final String DETAIL = "/health/detail";
  private static final int OK = 200;
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final int TIMEOUT_MILLIS = 5000;
  private static final double NANOS = 1e9;

  /// @param lameduck how long the server still answers when it is about to end
  record Options(ListenAddress address, Duration lameduck) {}

  private final Options options;
  private final InstanceContext instance;
  private final Histogram durations;
  private final Counter failures;
  // Its own object, unlike a lambda without state: taking it away must not take the next one's.
  private final Supplier<StatusPage> page = this::page;
  private final Supplier<StatusPage> detail = this::detail;
  private SharedResources.@Nullable Handle<StatusServer> server;
  private @Nullable SupervisedLoop prober;

  HealthPlugin(Options options, InstanceContext instance) {
    this.options = options;
    this.instance = instance;
    this.durations =
        instance
            .metrics()
            .histogram(
                "coredns_health_request_duration_seconds",
                "Histogram of the time (in seconds) each request took.",
                Metrics.exponential(0.00025, 10, 5));
    this.failures =
        instance
            .metrics()
            .counter(
                "coredns_health_request_failures_total",
                "The number of times the health check failed.");
  }

  @Override
  public String name() {
    return "health";
  }

  @Override
  public List<? extends Record> options() {
    return List.of(options);
  }

  @Override
  public void start() {
    SharedResources.Handle<StatusServer> taken = StatusServer.take(instance, options.address());
    server = taken;
    taken.get().show(PATH, page);
    taken.get().show(DETAIL, detail);
    prober = SupervisedLoop.of("dns-health-probe").start(() -> probe(taken.get().address()));
  }

  /// Where it listens, for tests with a port of the kernel's choice.
  InetSocketAddress listening() {
    if (server == null) {
      throw new IllegalStateException("not started");
    }
    return server.get().address();
  }

  private StatusPage page() {
    return StatusPage.text(OK, "OK");
  }

  /// A line for each plugin that has something to say.
  private StatusPage detail() {
    StringBuilder lines = new StringBuilder();
    for (Plugin plugin : instance.plugins()) {
      if (plugin instanceof HealthDetail each) {
        lines.append(plugin.name()).append(": ").append(each.healthDetail()).append('\n');
      }
    }
    LoopHealth.problem()
        .ifPresent(why -> lines.append(LoopHealth.NAME).append(": ").append(why).append('\n'));
    return StatusPage.text(OK, lines.isEmpty() ? "nothing to say\n" : lines.toString());
  }

  private void probe(InetSocketAddress bound) throws InterruptedException {
    instance.pacer().pause(EVERY);
    long start = instance.ticker().nanos();
    boolean good = ask(bound);
    long took = instance.ticker().nanos() - start;
    durations.observe(took / NANOS);
    if (!good) {
      failures.inc();
    } else if (took > EVERY.toNanos()) {
      log.atWarn()
          .addKeyValue("took", Duration.ofNanos(took))
          .log("answering our own health question took more than a second");
    }
  }

  private static boolean ask(InetSocketAddress bound) {
    InetAddress at =
        bound.getAddress().isAnyLocalAddress()
            ? InetAddress.getLoopbackAddress()
            : bound.getAddress();
    String host = at.getHostAddress();
    String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    try {
      URI uri = URI.create("http://" + shown + ":" + bound.getPort() + PATH);
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      try {
        return connection.getResponseCode() == OK;
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void quiesce() {
    Duration lameduck = options.lameduck();
    if (lameduck.isZero()) {
      return;
    }
    log.atInfo().addKeyValue("for", lameduck).log("going into lameduck mode");
    try {
      instance.pacer().pause(lameduck);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void stop() {
    if (prober != null) {
      prober.close();
      prober = null;
    }
    if (server != null) {
      server.get().remove(PATH, page);
      server.get().remove(DETAIL, detail);
      server.close();
      server = null;
    }
  }
}
