package io.fairlead.app;

import io.fairlead.agent.AgentOptions;
import io.fairlead.api.net.Cidr;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.instance.ApiUrl;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.text.Phrase;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import java.net.BindException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running Fairlead inside this JVM: what `up` runs, what a test can run too.
///
/// Parts are started in order and closed in reverse order. When one does not start, those before it
/// are closed again and a [Problem] says which and why. Claims no lock and writes no kubeconfig:
/// that is the business of the commands.
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
  public static Fairlead start(Options options, Assembly assembly, Progress progress) {
    return start(options, assembly, progress, () -> {});
  }

  /// The same.
  ///
  /// @param beforeNetwork what must have happened before anything changes the network of this
  ///   machine; the API may be ready earlier
  public static Fairlead start(
      Options options, Assembly assembly, Progress progress, Runnable beforeNetwork) {
    Fairlead fairlead = new Fairlead(options);
    try {
      fairlead.startAll(assembly, progress, beforeNetwork);
      return fairlead;
    } catch (RuntimeException | Error e) {
      fairlead.close();
      throw e;
    }
  }

  private void startAll(Assembly assembly, Progress progress, Runnable beforeNetwork) {
    DataDirectory directory = new DataDirectory(options.dataDirectory());
    directory.prepare();
    progress.began(Step.STORE_AND_API);
    Store store = opened(assembly, directory);
    parts.push(store);
    Assembly.Server server = guarded(Step.STORE_AND_API, () -> assembly.server(options, store));
    parts.push(server);
    reload = server::reload;
    port = server.port();
    progress.finished(Step.STORE_AND_API, url());
    if (options.controllers()) {
      progress.began(Step.CONTROLLERS);
      parts.push(guarded(Step.CONTROLLERS, () -> assembly.controllers(options, server)));
      progress.finished(Step.CONTROLLERS, "");
    }
    if (options.hasNode()) {
      beforeNetwork.run();
      startNode(assembly, progress, server);
    }
  }

  private void startNode(Assembly assembly, Progress progress, Assembly.Server server) {
    open(server);
    if (options.proxy().isPresent()) {
      progress.began(Step.PROXY);
      Assembly.Proxy proxy = guarded(Step.PROXY, () -> assembly.proxy(options, server));
      parts.push(proxy);
      dump = proxy::dump;
      progress.finished(Step.PROXY, proxy.mode());
    }
    if (options.dns().isPresent()) {
      progress.began(Step.DNS);
      parts.push(guarded(Step.DNS, () -> assembly.dns(options, server)));
      progress.finished(Step.DNS, options.dns().get().address().toString());
    }
    if (options.agent().isPresent()) {
      progress.began(Step.AGENT);
      parts.push(guarded(Step.AGENT, () -> assembly.agent(options, server)));
      AgentOptions agent = options.agent().get();
      progress.finished(
          Step.AGENT,
          "node "
              + agent.nodeName()
              + ", pods "
              + agent.podRanges().stream().map(Cidr::toString).collect(Collectors.joining(", ")));
    }
  }

  private void open(Assembly.Server server) {
    boolean _ =
        guarded(
            Step.STORE_AND_API,
            () -> {
              server.openPodDoor();
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

  private Store opened(Assembly assembly, DataDirectory directory) {
    try {
      return assembly.store(options);
    } catch (StoreException e) {
      String where =
          options
              .etcd()
              .map(etcd -> String.join(",", etcd.servers()))
              .orElse("" + directory.store());
      throw new Problem(Code.FL205, e, where, message(e));
    }
  }

  /// A thing that may fail in any way.
  private interface Start<T> {
    T start() throws Exception;
  }

  private <T> T guarded(Step step, Start<T> start) {
    try {
      return start.start();
    } catch (Problem e) {
      throw e;
    } catch (Exception e) {
      if (step == Step.STORE_AND_API && cause(e, BindException.class) != null) {
        throw PortTaken.problem(options.server().bindAddress(), options.server().securePort(), e);
      }
      DataDirectory directory = new DataDirectory(options.dataDirectory());
      throw new Problem(Code.FL210, e, Phrase.of(step.message()), message(e), directory.log());
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
