package io.fairlead.app;

import io.fairlead.agent.AgentOptions;
import io.fairlead.api.net.Cidr;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.instance.ApiUrl;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.text.Phrase;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import java.net.BindException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running Fairlead inside this JVM: what `up` runs, what a test can run too.
///
/// Parts are started in order and closed in reverse order. When one does not start, those before it
/// are closed again and a [FairleadException] says which and why. Claims no lock and writes no
/// kubeconfig: that is the business of the commands.
public final class Fairlead implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Fairlead.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final Options options;
  private int port;
  private Runnable reload = () -> {};
  private Supplier<String> dump = () -> "no proxy runs here";

  private Fairlead(Options options) {
    this.options = options;
  }

  /// Starts everything and returns when the API is ready.
  ///
  /// @param assembly makes the parts
  /// @param progress is told how it goes
  public static Fairlead start(Options options, ComponentFactory assembly, Progress progress) {
    return start(options, assembly, progress, () -> {});
  }

  /// The same.
  ///
  /// @param beforeNetwork what must have happened before anything changes the network of this
  ///   machine; the API may be ready earlier
  public static Fairlead start(
      Options options, ComponentFactory assembly, Progress progress, Runnable beforeNetwork) {
    Fairlead fairlead = new Fairlead(options);
    try {
      fairlead.startAll(assembly, progress, beforeNetwork);
      return fairlead;
    } catch (RuntimeException | Error e) {
      fairlead.close();
      throw e;
    }
  }

  private void startAll(ComponentFactory assembly, Progress progress, Runnable beforeNetwork) {
    DataDirectory directory = new DataDirectory(options.dataDirectory());
    directory.prepare();
    progress.began(StartupStep.STORE_AND_API);
    Store store = opened(assembly, directory);
    parts.push(store);
    ComponentFactory.Server server =
        guarded(StartupStep.STORE_AND_API, () -> assembly.server(options, store));
    parts.push(server);
    reload = server::reload;
    port = server.port();
    progress.finished(StartupStep.STORE_AND_API, url());
    if (options.controllers()) {
      progress.began(StartupStep.CONTROLLERS);
      parts.push(guarded(StartupStep.CONTROLLERS, () -> assembly.controllers(options, server)));
      progress.finished(StartupStep.CONTROLLERS, "");
    }
    if (options.hasNode()) {
      beforeNetwork.run();
      startNode(assembly, progress, server);
    }
    if (options.ui().isPresent()) {
      startUi(assembly, server);
    }
  }

  /// The page is a convenience: nothing else waits for it, and nothing fails with it.
  private void startUi(ComponentFactory assembly, ComponentFactory.Server server) {
    try {
      parts.push(assembly.ui(options, server));
    } catch (Exception e) {
      log.atWarn().setCause(e).log("the web page is not served");
    }
  }

  private void startNode(
      ComponentFactory assembly, Progress progress, ComponentFactory.Server server) {
    open(server);
    Optional<ComponentFactory.Proxy> proxy = Optional.empty();
    Optional<ComponentFactory.Component> dns = Optional.empty();
    Optional<ComponentFactory.Component> agent = Optional.empty();
    if (options.proxy().isPresent()) {
      progress.began(StartupStep.PROXY);
      ComponentFactory.Proxy started =
          guarded(StartupStep.PROXY, () -> assembly.proxy(options, server));
      parts.push(started);
      dump = started::dump;
      proxy = Optional.of(started);
      progress.finished(StartupStep.PROXY, started.mode());
    }
    if (options.hasLocalBalancer()) {
      progress.began(StartupStep.LOAD_BALANCER);
      progress.finished(
          StartupStep.LOAD_BALANCER,
          guarded(StartupStep.LOAD_BALANCER, () -> assembly.loadBalancer(options)));
    }
    if (options.dns().isPresent()) {
      progress.began(StartupStep.DNS);
      ComponentFactory.Component started =
          guarded(StartupStep.DNS, () -> assembly.dns(options, server));
      parts.push(started);
      dns = Optional.of(started);
      progress.finished(StartupStep.DNS, options.dns().get().address().toString());
    }
    boolean policies = false;
    if (options.policy().isPresent()) {
      // Before the agent: a pod must not run before it can be protected.
      progress.began(StartupStep.POLICY);
      ComponentFactory.Policy policy =
          guarded(StartupStep.POLICY, () -> assembly.policy(options, server));
      parts.push(policy);
      policies = policy.enforces();
      progress.finished(StartupStep.POLICY, policy.summary());
    }
    if (options.agent().isPresent()) {
      progress.began(StartupStep.AGENT);
      Options node = policies ? options.withPolicyWait() : options;
      ComponentFactory.Component started =
          guarded(StartupStep.AGENT, () -> assembly.agent(node, server));
      parts.push(started);
      agent = Optional.of(started);
      AgentOptions wanted = options.agent().get();
      progress.finished(
          StartupStep.AGENT, "node " + wanted.nodeName() + ", pods " + joined(wanted.podRanges()));
    }
    ComponentFactory.NodeParts all = new ComponentFactory.NodeParts(proxy, dns, agent);
    parts.push(guarded(StartupStep.AGENT, () -> assembly.publish(options, server, all)));
  }

  private static String joined(List<Cidr> ranges) {
    return ranges.stream().map(Cidr::toString).collect(Collectors.joining(", "));
  }

  private void open(ComponentFactory.Server server) {
    boolean _ =
        guarded(
            StartupStep.STORE_AND_API,
            () -> {
              server.openPodApi();
              return true;
            });
  }

  /// The port the API listens on.
  public int port() {
    return port;
  }

  /// Where the API is.
  public String url() {
    return ApiUrl.of(options.server().bindAddress(), port);
  }

  /// Has the parts read their files again. What is wrong with one is logged; nothing stops.
  public void reload() {
    try {
      reload.run();
      log.atInfo().log("files read again");
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("the files could not be read again, going on as before");
    }
  }

  /// What the proxy of this machine knows, for people.
  public String dump() {
    return dump.get();
  }

  /// Stops all parts, last started first. Idempotent.
  @Override
  public synchronized void close() {
    for (AutoCloseable part = parts.poll(); part != null; part = parts.poll()) {
      try {
        part.close();
      } catch (Exception e) {
        log.atWarn().setCause(e).log("a part did not stop cleanly");
      }
    }
  }

  private Store opened(ComponentFactory assembly, DataDirectory directory) {
    try {
      return assembly.store(options);
    } catch (StoreException e) {
      String where =
          options
              .etcd()
              .map(etcd -> String.join(",", etcd.servers()))
              .orElse("" + directory.store());
      throw new FairleadException(ErrorCode.FL205, e, where, message(e));
    }
  }

  /// A thing that may fail in any way.
  private interface Start<T> {
    T start() throws Exception;
  }

  private <T> T guarded(StartupStep step, Start<T> start) {
    try {
      return start.start();
    } catch (FairleadException e) {
      throw e;
    } catch (Exception e) {
      if (step == StartupStep.STORE_AND_API && cause(e, BindException.class) != null) {
        throw BindErrors.problem(options.server().bindAddress(), options.server().securePort(), e);
      }
      DataDirectory directory = new DataDirectory(options.dataDirectory());
      throw new FairleadException(
          ErrorCode.FL210, e, Phrase.of(step.message()), message(e), directory.log());
    }
  }

  private static String message(Throwable e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }

  private static @Nullable Throwable cause(Throwable e, Class<?> type) {
    for (Throwable at = e; at != null; at = at.getCause()) {
      if (type.isInstance(at)) {
        return at;
      }
    }
    return null;
  }
}
