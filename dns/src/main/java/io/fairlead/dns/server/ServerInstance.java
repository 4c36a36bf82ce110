package io.fairlead.dns.server;

import io.fairlead.dns.metrics.DnsServerMetrics;
import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.ServerBlock;
import io.fairlead.dns.plugin.ServerControl;
import io.fairlead.dns.plugin.ServerKey;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.work.Pacer;
import io.fairlead.work.Tasks;
import io.fairlead.work.Ticker;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One configuration at work: its blocks, and which listener leads to which of them.
final class ServerInstance implements InstanceContext {
  private static final Logger log = LoggerFactory.getLogger(ServerInstance.class);

  private final DnsServerDependencies dependencies;
  private final ProcessContext process;
  private final List<ServerBlock> parsed;
  private final List<ServerBlockInstance> blocks = new ArrayList<>();
  private final Map<ListenerKey, Router> routers = new LinkedHashMap<>();

  /// What outlives an instance.
  record ProcessContext(
      Metrics metrics,
      DnsServerMetrics serverMetrics,
      SharedResources shared,
      ServerControl control) {}

  private ServerInstance(
      DnsServerDependencies dependencies, ProcessContext process, List<ServerBlock> parsed) {
    this.dependencies = dependencies;
    this.process = process;
    this.parsed = List.copyOf(parsed);
  }

  /// Makes all plugins; nothing is started yet.
  static ServerInstance of(
      DnsServerDependencies dependencies, ProcessContext process, List<ServerBlock> parsed)
      throws SetupException {
    ServerInstance instance = new ServerInstance(dependencies, process, parsed);
    for (ServerBlock block : parsed) {
      instance.blocks.add(ServerBlockInstance.of(block, instance, dependencies.plugins()));
    }
    instance.route();
    return instance;
  }

  private void route() throws SetupException {
    Map<ListenerKey, Map<Name, ServerBlockInstance>> zones = new LinkedHashMap<>();
    for (ServerBlockInstance block : blocks) {
      List<String> bound = block.settings().bind();
      for (ServerKey key : block.block().keys()) {
        for (String address : bound.isEmpty() ? List.of("") : bound) {
          ListenerKey listener = new ListenerKey(key.scheme(), address, key.port());
          Map<Name, ServerBlockInstance> known =
              zones.computeIfAbsent(listener, _ -> new LinkedHashMap<>());
          if (known.putIfAbsent(key.zone(), block) != null) {
            throw Router.clash(block, key.zone(), listener);
          }
        }
      }
    }
    zones.forEach((key, each) -> routers.put(key, Router.of(key, each, process.serverMetrics())));
  }

  Map<ListenerKey, Router> routers() {
    return routers;
  }

  /// Starts all plugins; when one cannot, those before it are stopped again.
  void start() throws SetupException {
    List<Plugin> started = new ArrayList<>();
    for (ServerBlockInstance block : blocks) {
      for (Plugin plugin : block.plugins()) {
        try {
          plugin.start();
          started.add(plugin);
        } catch (RuntimeException e) {
          stop(started);
          throw problem(block, plugin, e);
        }
      }
    }
  }

  private static SetupException problem(
      ServerBlockInstance block, Plugin plugin, RuntimeException cause) {
    int line =
        block.block().directives().stream()
            .filter(each -> each.name().equals(plugin.name()))
            .mapToInt(each -> each.line())
            .findFirst()
            .orElse(block.block().line());
    SetupException problem =
        new SetupException(
            block.block().file(),
            line,
            "cannot start " + plugin.name() + ": " + cause.getMessage());
    problem.initCause(cause);
    return problem;
  }

  /// Announces the end of the process to all plugins at the same time, and waits for them.
  void quiesce() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (Plugin plugin : plugins()) {
      threads.add(Tasks.start("quiesce-" + plugin.name(), () -> guarded(plugin, plugin::quiesce)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  void stop() {
    stop(plugins());
  }

  private static void stop(List<Plugin> plugins) {
    plugins.reversed().forEach(plugin -> guarded(plugin, plugin::stop));
  }

  private static void guarded(Plugin plugin, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      log.atError().addKeyValue("plugin", plugin.name()).setCause(e).log("cannot stop a plugin");
    }
  }

  @Override
  public List<ServerBlock> blocks() {
    return parsed;
  }

  @Override
  public List<Plugin> plugins() {
    return blocks.stream().flatMap(block -> block.plugins().stream()).toList();
  }

  @Override
  public Handler resolver() {
    return this::resolve;
  }

  private DnsAnswer resolve(Query query) {
    if (query.depth() > Query.DEEPEST) {
      return Reply.failed("", Rcode.SERVFAIL, "too many questions inside one another");
    }
    Router router =
        routers.values().stream()
            .filter(each -> each.key().toString().equals(query.origin().server()))
            .findFirst()
            .orElseGet(() -> routers.values().iterator().next());
    Router.Route route = router.route(query.name(), query.type());
    return route == null
        ? Reply.of("", Rcode.REFUSED)
        : route.block().chain().handle(query.withZone(route.zone()));
  }

  @Override
  public Metrics metrics() {
    return process.metrics();
  }

  @Override
  public SharedResources shared() {
    return process.shared();
  }

  @Override
  public ServerControl control() {
    return process.control();
  }

  @Override
  public InstantSource clock() {
    return dependencies.clock();
  }

  @Override
  public Ticker ticker() {
    return dependencies.ticker();
  }

  @Override
  public Pacer pacer() {
    return dependencies.pacer();
  }

  @Override
  public RandomGenerator random() {
    return dependencies.random();
  }
}
