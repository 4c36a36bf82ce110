package io.fairlead.dns.ready;

import io.fairlead.dns.forward.ForwardSwitch;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.Readiness;
import io.fairlead.dns.plugin.Shared;
import io.fairlead.dns.status.ListenAddress;
import io.fairlead.dns.status.Page;
import io.fairlead.dns.status.StatusServer;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Asks the plugins of all blocks when somebody asks it.
final class Ready implements Plugin {
  private static final String PATH = "/ready";
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final ListenAddress address;
  private final boolean continuously;
  private final InstanceContext instance;
  private final Set<Plugin> wereReady = ConcurrentHashMap.newKeySet();
  private final Supplier<Page> page = this::page;
  private Shared.@Nullable Taken<StatusServer> server;

  Ready(ListenAddress address, boolean continuously, InstanceContext instance) {
    this.address = address;
    this.continuously = continuously;
    this.instance = instance;
  }

  @Override
  public String name() {
    return "ready";
  }

  @Override
  public void start() {
    Shared.Taken<StatusServer> taken = StatusServer.take(instance, address);
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

  private Page page() {
    if (instance.control().stopping()) {
      return Page.text(UNAVAILABLE, "Shutting down");
    }
    Set<String> missing = new TreeSet<>();
    for (Plugin plugin : instance.plugins()) {
      if (plugin instanceof Readiness readiness && !isReady(plugin, readiness)) {
        missing.add(plugin.name());
      }
    }
    return missing.isEmpty()
        ? Page.text(OK, "OK")
        : Page.text(UNAVAILABLE, String.join(",", missing));
  }

  private boolean isReady(Plugin plugin, Readiness readiness) {
    boolean sticky = !continuously && !readiness.lapses() && !(plugin instanceof ForwardSwitch);
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
