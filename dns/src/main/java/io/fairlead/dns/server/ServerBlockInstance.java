package io.fairlead.dns.server;

import io.fairlead.api.names.NearestName;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.FastPathAnswers;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.PluginOrder;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.ServerBlock;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.wire.Rcode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One server block with its plugins in their order. Unchanging once made.
final class ServerBlockInstance implements BlockContext {
  private final ServerBlock block;
  private final InstanceContext instance;
  private BlockSettings settings = BlockSettings.DEFAULTS;
  private final List<Plugin> plugins = new ArrayList<>();
  private Handler chain = ServerBlockInstance::exhausted;
  private Optional<FastPathAnswers> fastPath = Optional.empty();

  private ServerBlockInstance(ServerBlock block, InstanceContext instance) {
    this.block = block;
    this.instance = instance;
  }

  static ServerBlockInstance of(
      ServerBlock parsed, InstanceContext instance, Map<String, PluginFactory> factories)
      throws SetupException {
    ServerBlockInstance block = new ServerBlockInstance(parsed, instance);
    Map<String, List<Directive>> byName = new LinkedHashMap<>();
    for (Directive line : parsed.directives()) {
      byName.computeIfAbsent(line.name(), _ -> new ArrayList<>()).add(line);
    }
    for (Map.Entry<String, List<Directive>> each : byName.entrySet()) {
      PluginFactory factory = factories.get(each.getKey());
      if (factory == null) {
        throw unknown(each.getValue().getFirst(), factories);
      }
      block.plugins.add(factory.create(each.getValue(), block));
    }
    block.plugins.sort(Comparator.comparingInt(plugin -> PluginOrder.place(plugin.name())));
    block.chain = block.chain(0);
    block.fastPath = block.findFastPath();
    return block;
  }

  private static SetupException unknown(Directive line, Map<String, PluginFactory> factories) {
    String hint =
        NearestName.to(line.name(), factories.keySet().stream())
            .map(name -> "; did you mean '" + name + "'?")
            .orElse("; `-plugins` lists those there are, --unknown-plugins=warn passes it over");
    return line.problem("unknown plugin '" + line.name() + "'" + hint);
  }

  private Handler chain(int from) {
    for (int i = from; i < plugins.size(); i++) {
      if (plugins.get(i) instanceof ChainPlugin plugin) {
        Handler handler = handler(plugin, chain(i + 1));
        return plugin.mayBlock()
            ? query -> query.mayBlock() ? handler.handle(query) : new DnsAnswer.WouldBlock()
            : handler;
      }
    }
    return ServerBlockInstance::exhausted;
  }

  private static Handler handler(ChainPlugin plugin, Handler next) {
    return plugin.treatsClientsAlike()
        ? query -> plugin.handle(query, next)
        : query -> unrepeatable(plugin.handle(query, next));
  }

  private static DnsAnswer unrepeatable(DnsAnswer answer) {
    return answer instanceof Reply reply && reply.validity() != null
        ? reply.withValidity(null)
        : answer;
  }

  private static DnsAnswer exhausted(Query query) {
    return Reply.failed("", Rcode.SERVFAIL, "no plugin in this server block answers for it");
  }

  /// The plugin with a fast path, unless one before it has to see or change its answers.
  private Optional<FastPathAnswers> findFastPath() {
    for (int i = 0; i < plugins.size(); i++) {
      if (plugins.get(i) instanceof FastPathAnswers found) {
        List<Plugin> before = plugins.subList(0, i);
        boolean free =
            before.stream()
                .filter(ChainPlugin.class::isInstance)
                .map(ChainPlugin.class::cast)
                .allMatch(plugin -> found.ownZones().stream().allMatch(plugin::passesOwnData));
        return free ? Optional.of(found) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  Handler chain() {
    return chain;
  }

  Optional<FastPathAnswers> fastPath() {
    return fastPath;
  }

  /// Whether it forwards to other servers, which the RA bit says.
  boolean recursive() {
    return plugin("forward").isPresent();
  }

  boolean has(String plugin) {
    return plugin(plugin).isPresent();
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
    return List.copyOf(plugins);
  }

  @Override
  public InstanceContext instance() {
    return instance;
  }
}
