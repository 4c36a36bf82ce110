package io.fairlead.dns.server;

import io.fairlead.dns.metrics.DnsServerMetrics;
import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.ServerBlock;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.kernel.syscall.DatagramBatch;
import io.fairlead.kernel.syscall.SystemCallException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All open listeners. Guarded by its server.
final class ListenerRegistry {
  private static final int TRIES = 20;

  /// Below it a port takes a right of its own.
  private static final int FIRST_FREE_PORT = 1024;

  private final DnsServerDependencies dependencies;
  private final ChainRunner runner;
  private final DnsServerMetrics metrics;
  private final Metrics registry;
  private final Map<ListenerKey, List<DnsListener>> open = new LinkedHashMap<>();

  /// What is to become of the listeners, once there is no way back.
  interface Change {
    void commit();
  }

  ListenerRegistry(
      DnsServerDependencies dependencies,
      ChainRunner runner,
      DnsServerMetrics metrics,
      Metrics registry) {
    this.dependencies = dependencies;
    this.runner = runner;
    this.metrics = metrics;
    this.registry = registry;
  }

  /// Opens what is not open yet. Those that answer already keep doing so as before until the change
  /// is committed; then all lead to the new routers and those no longer wanted close.
  Change open(Map<ListenerKey, Router> wanted) throws SetupException {
    Map<ListenerKey, List<DnsListener>> added = new LinkedHashMap<>();
    for (Map.Entry<ListenerKey, Router> each : wanted.entrySet()) {
      if (!open.containsKey(each.getKey())) {
        try {
          added.put(each.getKey(), listen(each.getKey(), each.getValue()));
        } catch (IOException e) {
          added.values().forEach(ListenerRegistry::close);
          throw problem(each.getKey(), each.getValue(), e);
        }
      }
    }
    return () -> {
      open.forEach(
          (key, listeners) -> {
            Router router = wanted.get(key);
            if (router != null) {
              listeners.forEach(listener -> listener.route(router));
            }
          });
      List<ListenerKey> gone =
          open.keySet().stream().filter(key -> !wanted.containsKey(key)).toList();
      for (ListenerKey key : gone) {
        List<DnsListener> listeners = open.remove(key);
        if (listeners != null) {
          close(listeners);
        }
      }
      open.putAll(added);
    };
  }

  private static SetupException problem(ListenerKey key, Router router, IOException cause) {
    ServerBlock block = router.blocks().getFirst().block();
    boolean rights =
        key.port() < FIRST_FREE_PORT
            && cause.getCause() instanceof SystemCallException refused
            && refused.isNotPermitted();
    SetupException problem =
        new SetupException(
            block.file(),
            block.line(),
            "cannot listen on "
                + key
                + ": "
                + cause.getMessage()
                + (rights ? " (ports below 1024 are for root; another one: -dns.port 1053)" : ""));
    problem.initCause(cause);
    return problem;
  }

  private List<DnsListener> listen(ListenerKey key, Router router) throws IOException {
    return switch (key.scheme()) {
      case DNS -> plain(key, router);
      case TLS -> List.of(stream(where(key), router));
      case HTTPS -> List.of(new HttpsListener(where(key), router, runner, registry));
    };
  }

  /// UDP and TCP on one port. Where the system chooses it, the port it gives for one may be taken
  /// for the other.
  private List<DnsListener> plain(ListenerKey key, Router router) throws IOException {
    IOException last = null;
    for (int i = 0; i < (key.port() == 0 ? TRIES : 1); i++) {
      List<DnsListener> both = new ArrayList<>();
      try {
        both.addAll(udp(key, router));
        int port = both.getFirst().address().getPort();
        both.add(stream(new InetSocketAddress(where(key).getAddress(), port), router));
        return both;
      } catch (IOException e) {
        close(both);
        last = e;
      }
    }
    throw last == null ? new IOException("no port") : last;
  }

  /// One set of sockets for the address; for all of the machine also one for each of several
  /// addresses of a family, so that a reply leaves from where the question came to.
  private List<DnsListener> udp(ListenerKey key, Router router) throws IOException {
    List<DnsListener> listeners = new ArrayList<>();
    try {
      InetSocketAddress first = where(key);
      listeners.add(udp(first, router));
      if (key.address().isEmpty()) {
        int port = listeners.getFirst().address().getPort();
        for (InetAddress address : MultihomedAddresses.ambiguous()) {
          listeners.add(udp(new InetSocketAddress(address, port), router));
        }
      }
      return listeners;
    } catch (IOException e) {
      close(listeners);
      throw e;
    }
  }

  private UdpListener udp(InetSocketAddress where, Router router) throws IOException {
    int sockets =
        router
            .blocks()
            .getFirst()
            .settings()
            .sockets()
            .orElse(Runtime.getRuntime().availableProcessors());
    return new UdpListener(
        where,
        sockets,
        router,
        runner,
        metrics,
        dependencies.ticker(),
        dependencies.random(),
        DatagramBatch::receive);
  }

  private StreamListener stream(InetSocketAddress where, Router router) throws IOException {
    return new StreamListener(
        where,
        router,
        new StreamListener.ListenerContext(
            runner, metrics, dependencies.ticker(), dependencies.pacer(), dependencies.random()));
  }

  private static InetSocketAddress where(ListenerKey key) throws UnknownHostException {
    return key.address().isEmpty()
        ? new InetSocketAddress(key.port())
        : new InetSocketAddress(InetAddress.ofLiteral(key.address()), key.port());
  }

  Map<ListenerKey, List<InetSocketAddress>> addresses() {
    Map<ListenerKey, List<InetSocketAddress>> all = new LinkedHashMap<>();
    open.forEach(
        (key, listeners) -> all.put(key, listeners.stream().map(DnsListener::address).toList()));
    return all;
  }

  void close() {
    open.values().forEach(ListenerRegistry::close);
    open.clear();
  }

  private static void close(List<DnsListener> listeners) {
    listeners.forEach(DnsListener::close);
  }
}
