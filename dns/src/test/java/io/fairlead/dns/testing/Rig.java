package io.fairlead.dns.testing;

import io.fairlead.dns.StandardPlugins;
import io.fairlead.dns.corefile.Corefile;
import io.fairlead.dns.corefile.CorefileImports;
import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.PluginOrder;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.QueryOrigin;
import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.ServerBlock;
import io.fairlead.dns.plugin.ServerControl;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One server block with its plugins and no sockets: parses the block, makes the plugins, runs
/// queries through them. Time, chance and the end of the chain belong to the test.
public final class Rig implements BlockContext, InstanceContext, ServerControl, AutoCloseable {
  public volatile Path corefile;
  private final Handler end;
  private final VirtualTime time = new VirtualTime();
  private final Metrics metrics = new Metrics();
  private final SharedResources shared;
  private BlockSettings settings = BlockSettings.DEFAULTS;
  private final List<Plugin> plugins = new ArrayList<>();
  private final ServerBlock block;
  private final Random random = new Random(7);
  private Pacer pacer = time;
  private Ticker ticker = time;
  public final AtomicInteger reloads = new AtomicInteger();
  public volatile boolean reloadWorks = true;
  public volatile boolean stopping;
  public volatile @Nullable String stopped;

  /// @param body the lines inside the block
  public Rig(String body, Handler end) throws SetupException {
    this(".:53", body, end, new SharedResources(), List.of());
  }

  /// @param more plugins that stand in the block as if made from lines
  public Rig(String keys, String body, Handler end, SharedResources shared, List<Plugin> more)
      throws SetupException {
    this.corefile = Path.of("Corefile");
    this.end = end;
    this.shared = shared;
    Corefile parsed =
        Corefile.parse(
            corefile, keys + " {\n" + body + "\n}", 53, CorefileImports.files(), System::getenv);
    this.block = parsed.blocks().getFirst();
    plugins.addAll(more);
    Map<String, List<Directive>> byName = new LinkedHashMap<>();
    for (Directive directive : block.directives()) {
      byName.computeIfAbsent(directive.name(), _ -> new ArrayList<>()).add(directive);
    }
    for (Map.Entry<String, List<Directive>> each : byName.entrySet()) {
      PluginFactory factory = StandardPlugins.byName().get(each.getKey());
      if (factory == null) {
        throw each.getValue().getFirst().problem("no plugin " + each.getKey());
      }
      plugins.add(factory.create(each.getValue(), this));
    }
    plugins.sort((a, b) -> PluginOrder.place(a.name()) - PluginOrder.place(b.name()));
  }

  /// An end that says it has nothing.
  public static Handler refusing() {
    return _ -> Reply.of("end", Rcode.REFUSED);
  }

  public Rig start() {
    plugins.forEach(Plugin::start);
    return this;
  }

  /// Real waiting and measuring instead of the test's.
  public Rig realTime() {
    pacer = Pacer.system();
    ticker = Ticker.system();
    return this;
  }

  public VirtualTime time() {
    return time;
  }

  public Reply ask(String name, String type) {
    return (Reply) answer(query(name, type));
  }

  public DnsAnswer answer(Query query) {
    return chain(0).handle(query);
  }

  private Handler chain(int from) {
    for (int i = from; i < plugins.size(); i++) {
      if (plugins.get(i) instanceof ChainPlugin plugin) {
        int next = i + 1;
        return query -> plugin.handle(query, chain(next));
      }
    }
    return end;
  }

  public static Query query(String name, String type) {
    return query(name, type, "10.244.1.9", QueryTransport.UDP, null);
  }

  public static Query query(
      String name, String type, String client, QueryTransport transport, @Nullable Edns edns) {
    Question question =
        new Question(Name.of(name), RecordType.parse(type).orElseThrow(), RecordClass.IN);
    DnsMessage request = DnsMessage.query(4242, question, Header.RD, edns);
    QueryOrigin origin =
        new QueryOrigin(
            new InetSocketAddress(client, 40212),
            new InetSocketAddress("10.96.0.10", 53),
            transport,
            "dns://:53");
    return new Query(request, origin, Name.ROOT, 40, 0);
  }

  @Override
  public ServerBlock block() {
    return block;
  }

  @Override
  public BlockSettings settings() {
    return settings;
  }

  @Override
  public void settings(BlockSettings changed) {
    settings = changed;
  }

  @Override
  public List<Plugin> plugins() {
    return plugins;
  }

  @Override
  public InstanceContext instance() {
    return this;
  }

  @Override
  public List<ServerBlock> blocks() {
    return List.of(block);
  }

  @Override
  public Handler resolver() {
    return query ->
        query.depth() > Query.DEEPEST
            ? Reply.failed("server", Rcode.SERVFAIL, "too deep")
            : answer(query);
  }

  @Override
  public Metrics metrics() {
    return metrics;
  }

  @Override
  public SharedResources shared() {
    return shared;
  }

  @Override
  public ServerControl control() {
    return this;
  }

  @Override
  public InstantSource clock() {
    return time;
  }

  @Override
  public Ticker ticker() {
    return () -> ticker.nanos();
  }

  @Override
  public Pacer pacer() {
    return pause -> pacer.pause(pause);
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public Optional<Path> corefile() {
    return Optional.of(corefile);
  }

  @Override
  public boolean reload() {
    reloads.incrementAndGet();
    return reloadWorks;
  }

  @Override
  public void stop(String why) {
    stopped = why;
  }

  @Override
  public boolean stopping() {
    return stopping;
  }

  @Override
  public void close() {
    plugins.reversed().forEach(Plugin::stop);
  }
}
