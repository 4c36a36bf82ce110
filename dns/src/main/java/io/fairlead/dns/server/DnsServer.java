package io.fairlead.dns.server;

import io.fairlead.dns.corefile.Corefile;
import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.metrics.ServerMetrics;
import io.fairlead.dns.plugin.Control;
import io.fairlead.dns.plugin.Readiness;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.plugin.Shared;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A DNS server as a Corefile describes it.
///
/// Reloading is all or nothing: the new configuration is made and started completely, its new ports
/// are bound, then one reference is exchanged in every listener, and only then the old one ends. A
/// configuration that fails anywhere on the way changes nothing.
///
/// One lock guards start, reload and stop; answering never takes it.
public final class DnsServer implements AutoCloseable, Control {
  private static final Logger log = LoggerFactory.getLogger(DnsServer.class);

  private final Configuration configuration;
  private final Environment environment;
  private final Metrics metrics = new Metrics();
  private final Instance.Process process;
  private final Listeners listeners;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Object lock = new Object();
  private @Nullable Instance instance;
  private volatile boolean stopping;

  private DnsServer(Configuration configuration, Environment environment) {
    this.configuration = configuration;
    this.environment = environment;
    ServerMetrics serverMetrics = new ServerMetrics(metrics);
    this.process = new Instance.Process(metrics, serverMetrics, new Shared(), this);
    Cookies cookies = new Cookies(environment.random(), environment.clock());
    Replies replies = new Replies(cookies, environment.random());
    ChainRunner runner =
        new ChainRunner(serverMetrics, replies, environment.ticker(), environment.slowQueries());
    this.listeners = new Listeners(environment, runner, serverMetrics, metrics);
  }

  /// Starts a server. SetupException when the configuration cannot be used or a port is taken;
  /// nothing is left behind then.
  public static DnsServer start(Configuration configuration, Environment environment)
      throws SetupException {
    DnsServer server = new DnsServer(configuration, environment);
    synchronized (server.lock) {
      server.exchange(configuration.read());
    }
    return server;
  }

  /// Checks a configuration: everything is made, nothing is started.
  public static void check(Configuration configuration, Environment environment)
      throws SetupException {
    DnsServer server = new DnsServer(configuration, environment);
    Instance.of(environment, server.process, configuration.read().blocks());
  }

  private void exchange(Corefile corefile) throws SetupException {
    Instance next = Instance.of(environment, process, corefile.blocks());
    next.start();
    Listeners.Change change;
    try {
      change = listeners.open(next.routers());
    } catch (SetupException e) {
      next.stop();
      throw e;
    }
    Instance last = instance;
    instance = next;
    change.commit();
    if (last != null) {
      last.stop();
    }
  }

  /// Where it listens now.
  public Map<ListenerKey, List<InetSocketAddress>> listening() {
    synchronized (lock) {
      return listeners.addresses();
    }
  }

  public Metrics metrics() {
    return metrics;
  }

  /// Whether every plugin has what it answers from. Until then questions for it get SERVFAIL.
  public boolean ready() {
    synchronized (lock) {
      return instance != null
          && instance.plugins().stream()
              .allMatch(plugin -> !(plugin instanceof Readiness each) || each.ready());
    }
  }

  @Override
  public Optional<Path> corefile() {
    return configuration.file();
  }

  @Override
  public boolean reload() {
    synchronized (lock) {
      if (stopping) {
        return false;
      }
      try {
        exchange(configuration.read());
        log.info("reloaded the configuration");
        return true;
      } catch (SetupException e) {
        log.atError().addKeyValue("why", e.getMessage()).log("cannot reload, keeping the old one");
        return false;
      }
    }
  }

  @Override
  public void stop(String why) {
    Thread.ofPlatform()
        .name("dns-stop")
        .start(
            () -> {
              log.atInfo().addKeyValue("why", why).log("stopping");
              close();
            });
  }

  @Override
  public boolean stopping() {
    return stopping;
  }

  /// Waits until the server has ended.
  public void awaitStop() throws InterruptedException {
    stopped.await();
  }

  /// Ends in order: plugins get their time while questions are still answered, then the ports
  /// close. Idempotent.
  @Override
  public void close() {
    stopping = true;
    synchronized (lock) {
      Instance last = instance;
      if (last != null) {
        try {
          last.quiesce();
        } catch (InterruptedException _) {
          Thread.currentThread().interrupt();
        }
        listeners.close();
        last.stop();
        instance = null;
      }
      stopped.countDown();
    }
  }
}
