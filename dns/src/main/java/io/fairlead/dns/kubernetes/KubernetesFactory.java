package io.fairlead.dns.kubernetes;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.dns.kubernetes.data.ClusterData;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.plugin.SharedResources;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Makes the `kubernetes` plugin.
public final class KubernetesFactory implements PluginFactory {
  private final Function<ApiOptions, Client> clients;
  private final Function<BlockSettings, List<IpAddress>> own;
  private final AtomicReference<ClusterData> newest = new AtomicReference<>();

  public KubernetesFactory() {
    this(ApiConnection::open, OwnAddresses::of);
  }

  /// @param sharing gives each client to an API server what it shares with others of the process
  public KubernetesFactory(UnaryOperator<Client> sharing) {
    this(options -> sharing.apply(ApiConnection.open(options)), OwnAddresses::of);
  }

  /// @param clients opens a connection to an API server
  /// @param own the addresses under which clients reach this process
  public KubernetesFactory(
      Function<ApiOptions, Client> clients, Function<BlockSettings, List<IpAddress>> own) {
    this.clients = clients;
    this.own = own;
  }

  @Override
  public String name() {
    return "kubernetes";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    KubernetesOptions options = KubernetesOptionReader.read(lines, context.block());
    boolean recursive = has(context, "forward");
    boolean shuffle = has(context, "loadbalance");
    InstanceContext instance = context.instance();
    return new KubernetesPlugin(
        options,
        options.answers(recursive, shuffle),
        () -> take(options, instance),
        () -> own.apply(context.settings()),
        HostSearchList::read,
        (Query query) -> instance.resolver().handle(query),
        instance.random());
  }

  private static boolean has(BlockContext context, String plugin) {
    return context.block().directives().stream().anyMatch(line -> line.name().equals(plugin));
  }

  /// Blocks that want the same of the same server share one copy, and so do the configurations
  /// before and after a reload.
  private SharedResources.Handle<ClusterData> take(
      KubernetesOptions options, InstanceContext instance) {
    String key = "kubernetes " + options.api() + " " + options.data();
    return instance
        .shared()
        .take(
            key,
            ClusterData.class,
            () -> {
              KubernetesMetrics metrics = new KubernetesMetrics(instance.metrics(), newest);
              ClusterData data =
                  new ClusterData(
                      clients.apply(options.api()),
                      options.data(),
                      new TimingSources(instance.ticker(), instance.pacer(), instance.random()),
                      instance.clock(),
                      metrics);
              metrics.watch(data);
              return data;
            });
  }
}
