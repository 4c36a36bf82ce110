package io.fairlead.dns.status;

import io.fairlead.dns.forward.ForwardSwitch;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.Readiness;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.http.status.StatusPage;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Serves `/ready`: asks the plugins of all blocks at each request.
final class ReadyPlugin implements Plugin {
  private static final String PATH = "/ready";
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  /// @param continuously whether a plugin that was ready once is asked again
  record Options(ListenAddress address, boolean continuously) {}

  private final Options options;
  private final InstanceContext instance;
  private final Set<Plugin> wereReady = ConcurrentHashMap.newKeySet();
  private final Supplier<StatusPage> page = this::page;
  private SharedResources.@Nullable Handle<StatusServer> server;

  ReadyPlugin(Options options, InstanceContext instance) {
    this.options = options;
    this.instance = instance;
  }

  @Override
  public String name() {
    return "ready";
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
  }

  /// Where it listens, for tests with a port of the kernel's choice.
  InetSocketAddress listening() {
    if (server == null) {
      throw new IllegalStateException("not started");
    }
    return server.get().address();
  }

  private StatusPage page() {
    if (instance.control().stopping()) {
      return StatusPage.text(UNAVAILABLE, "Shutting down");
    }
    Set<String> missing = new TreeSet<>();
    for (Plugin plugin : instance.plugins()) {
      if (plugin instanceof Readiness readiness && !isReady(plugin, readiness)) {
        missing.add(plugin.name());
      }
    }
    return missing.isEmpty()
        ? StatusPage.text(OK, "OK")
        : StatusPage.text(UNAVAILABLE, String.join(",", missing));
  }

  private boolean isReady(Plugin plugin, Readiness readiness) {
    boolean sticky =
        !options.continuously() && !readiness.lapses() && !(plugin instanceof ForwardSwitch);
    if (sticky && wereReady.contains(plugin)) {
      return true;
    }
    boolean ready = readiness.ready();
    if (ready) {
      wereReady.add(plugin);
    }
    return ready;
  }

  @Override
  public void stop() {
    if (server != null) {
      server.get().remove(PATH, page);
      server.close();
      server = null;
    }
  }
}
