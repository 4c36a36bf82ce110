package io.fairlead.dns.server;

import io.fairlead.dns.corefile.Corefile;
import io.fairlead.dns.metrics.DnsServerMetrics;
import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.Readiness;
import io.fairlead.dns.plugin.ServerControl;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.work.Tasks;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
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
public final class DnsServer implements AutoCloseable, ServerControl {
  private static final Logger log = LoggerFactory.getLogger(DnsServer.class);

  private final CorefileSource configuration;
  private final DnsServerDependencies dependencies;
  private final Metrics metrics = new Metrics();
  private final ServerInstance.ProcessContext process;
  private final ListenerRegistry listeners;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable ServerInstance instance;
  private volatile boolean stopping;

  private DnsServer(CorefileSource configuration, DnsServerDependencies dependencies) {
    this.configuration = configuration;
    this.dependencies = dependencies;
    DnsServerMetrics serverMetrics = new DnsServerMetrics(metrics);
    this.process =
        new ServerInstance.ProcessContext(metrics, serverMetrics, new SharedResources(), this);
    DnsCookies cookies = new DnsCookies(dependencies.random(), dependencies.clock());
    ReplyEncoder replies = new ReplyEncoder(cookies, dependencies.random());
    ChainRunner runner =
        new ChainRunner(serverMetrics, replies, dependencies.ticker(), dependencies.slowQueries());
    this.listeners = new ListenerRegistry(dependencies, runner, serverMetrics, metrics);
  }

  /// Starts a server. SetupException when the configuration cannot be used or a port is taken;
  /// nothing is left behind then.
  public static DnsServer start(CorefileSource configuration, DnsServerDependencies dependencies)
      throws SetupException {
    DnsServer server = new DnsServer(configuration, dependencies);
    server.lock.lock();
    try {
      server.exchange(configuration.read());
    } finally {
      server.lock.unlock();
    }
    return server;
  }

  /// Checks a configuration: everything is made, nothing is started.
  public static void check(CorefileSource configuration, DnsServerDependencies dependencies)
      throws SetupException {
    DnsServer server = new DnsServer(configuration, dependencies);
    ServerInstance.of(dependencies, server.process, configuration.read().blocks());
  }

  private void exchange(Corefile corefile) throws SetupException {
    ServerInstance next = ServerInstance.of(dependencies, process, corefile.blocks());
    next.start();
    ListenerRegistry.Change change;
    try {
      change = listeners.open(next.routers());
    } catch (SetupException e) {
      next.stop();
      throw e;
    }
    ServerInstance last = instance;
    instance = next;
    change.commit();
    if (last != null) {
      last.stop();
    }
  }

  /// Where it listens now.
  public Map<ListenerKey, List<InetSocketAddress>> listening() {
    lock.lock();
    try {
      return listeners.addresses();
    } finally {
      lock.unlock();
    }
  }

  public Metrics metrics() {
    return metrics;
  }

  /// Whether every plugin has what it answers from. Until then questions for it get SERVFAIL.
  public boolean ready() {
    lock.lock();
    try {
      return instance != null
          && instance.plugins().stream()
              .allMatch(plugin -> !(plugin instanceof Readiness each) || each.ready());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<Path> corefile() {
    return configuration.file();
  }

  @Override
  public boolean reload() {
    try {
      // The thread that reloads may be the one that the holder of the lock waits for, to stop it.
      lock.lockInterruptibly();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
    try {
      if (stopping) {
        return false;
      }
      exchange(configuration.read());
      log.info("reloaded the configuration");
      return true;
    } catch (SetupException e) {
      log.atError().addKeyValue("why", e.getMessage()).log("cannot reload, keeping the old one");
      return false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void stop(String why) {
    Tasks.startForeground(
        "dns-stop",
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
    lock.lock();
    try {
      ServerInstance last = instance;
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
    } finally {
      lock.unlock();
    }
  }
}
