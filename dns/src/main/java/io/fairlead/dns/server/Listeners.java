package io.fairlead.dns.server;

import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.metrics.ServerMetrics;
import io.fairlead.dns.plugin.ServerBlock;
import io.fairlead.dns.plugin.SetupException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All open listeners. Guarded by its server.
final class Listeners {
  private static final int TRIES = 20;

  private final Environment environment;
  private final ChainRunner runner;
  private final ServerMetrics metrics;
  private final Metrics registry;
  private final Map<ListenerKey, List<Listener>> open = new LinkedHashMap<>();

  /// What is to become of the listeners, once there is no way back.
  interface Change {
    void commit();
  }

  Listeners(Environment environment, ChainRunner runner, ServerMetrics metrics, Metrics registry) {
    this.environment = environment;
    this.runner = runner;
    this.metrics = metrics;
    this.registry = registry;
  }

  /// Opens what is not open yet. Those that answer already keep doing so as before until the change
  /// is committed; then all lead to the new routers and those no longer wanted close.
  Change open(Map<ListenerKey, Router> wanted) throws SetupException {
    Map<ListenerKey, List<Listener>> added = new LinkedHashMap<>();
    for (Map.Entry<ListenerKey, Router> each : wanted.entrySet()) {
      if (!open.containsKey(each.getKey())) {
        try {
          added.put(each.getKey(), listen(each.getKey(), each.getValue()));
        } catch (IOException e) {
          added.values().forEach(Listeners::close);
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
        List<Listener> listeners = open.remove(key);
        if (listeners != null) {
          close(listeners);
        }
      }
      open.putAll(added);
    };
  }

  private static SetupException problem(ListenerKey key, Router router, IOException cause) {
    ServerBlock block = router.blocks().getFirst().block();
    SetupException problem =
        new SetupException(
            block.file(), block.line(), "cannot listen on " + key + ": " + cause.getMessage());
    problem.initCause(cause);
    return problem;
  }

  private List<Listener> listen(ListenerKey key, Router router) throws IOException {
    return switch (key.scheme()) {
      case DNS -> plain(key, router);
      case TLS -> List.of(stream(where(key), router));
      case HTTPS -> List.of(new HttpsListener(where(key), router, runner, registry));
    };
  }

  /// UDP and TCP on one port. Where the system chooses it, the port it gives for one may be taken
  /// for the other.
  private List<Listener> plain(ListenerKey key, Router router) throws IOException {
    IOException last = null;
    for (int i = 0; i < (key.port() == 0 ? TRIES : 1); i++) {
      List<Listener> both = new ArrayList<>();
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
  private List<Listener> udp(ListenerKey key, Router router) throws IOException {
    List<Listener> listeners = new ArrayList<>();
    try {
      InetSocketAddress first = where(key);
      listeners.add(udp(first, router));
      if (key.address().isEmpty()) {
        int port = listeners.getFirst().address().getPort();
        for (InetAddress address : LocalAddresses.ambiguous()) {
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
        where, sockets, router, runner, metrics, environment.ticker(), environment.random());
  }

  private StreamListener stream(InetSocketAddress where, Router router) throws IOException {
    return new StreamListener(
        where,
        router,
        new StreamListener.Services(
            runner, metrics, environment.ticker(), environment.pacer(), environment.random()));
  }

  private static InetSocketAddress where(ListenerKey key) throws UnknownHostException {
    return key.address().isEmpty()
        ? new InetSocketAddress(key.port())
        : new InetSocketAddress(InetAddress.ofLiteral(key.address()), key.port());
  }

  Map<ListenerKey, List<InetSocketAddress>> addresses() {
    Map<ListenerKey, List<InetSocketAddress>> all = new LinkedHashMap<>();
    open.forEach(
        (key, listeners) -> all.put(key, listeners.stream().map(Listener::address).toList()));
    return all;
  }

  void close() {
    open.values().forEach(Listeners::close);
    open.clear();
  }

  private static void close(List<Listener> listeners) {
    listeners.forEach(Listener::close);
  }
}
