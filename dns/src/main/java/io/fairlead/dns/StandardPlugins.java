package io.fairlead.dns;

import io.fairlead.client.Client;
import io.fairlead.dns.acl.AclFactory;
import io.fairlead.dns.builtin.AnyFactory;
import io.fairlead.dns.builtin.AutopathFactory;
import io.fairlead.dns.builtin.CancelFactory;
import io.fairlead.dns.builtin.ChaosFactory;
import io.fairlead.dns.builtin.HeaderFactory;
import io.fairlead.dns.builtin.LocalFactory;
import io.fairlead.dns.builtin.LoopFactory;
import io.fairlead.dns.builtin.MinimalFactory;
import io.fairlead.dns.builtin.NsidFactory;
import io.fairlead.dns.builtin.WhoamiFactory;
import io.fairlead.dns.cache.CacheFactory;
import io.fairlead.dns.errors.ErrorsFactory;
import io.fairlead.dns.file.FileFactory;
import io.fairlead.dns.forward.ForwardFactory;
import io.fairlead.dns.hosts.HostsFactory;
import io.fairlead.dns.kubernetes.K8sExternalFactory;
import io.fairlead.dns.kubernetes.KubernetesFactory;
import io.fairlead.dns.loadbalance.LoadbalanceFactory;
import io.fairlead.dns.log.LogFactory;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.rewrite.RewriteFactory;
import io.fairlead.dns.settings.BindFactory;
import io.fairlead.dns.settings.ReloadFactory;
import io.fairlead.dns.settings.SettingFactory;
import io.fairlead.dns.settings.TlsFactory;
import io.fairlead.dns.status.HealthFactory;
import io.fairlead.dns.status.PrometheusFactory;
import io.fairlead.dns.status.ReadyFactory;
import io.fairlead.dns.template.TemplateFactory;
import io.fairlead.dns.transfer.TransferFactory;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// All plugins that can stand in a Corefile: ours, and those that other jars on the class path
/// offer as services.
public final class StandardPlugins {
  /// Ours. A new plugin is one line here and one in [io.fairlead.dns.plugin.PluginOrder#NAMES].
  private static final List<PluginFactory> OURS =
      List.of(
          new AclFactory(),
          new AnyFactory(),
          new AutopathFactory(),
          new BindFactory(),
          new CacheFactory(),
          new CancelFactory(),
          new ChaosFactory(),
          new ErrorsFactory(),
          new K8sExternalFactory(),
          new FileFactory(),
          new ForwardFactory(),
          ForwardFactory.retiredProxy(),
          new HeaderFactory(),
          new HealthFactory(),
          new HostsFactory(),
          new KubernetesFactory(),
          new LoadbalanceFactory(),
          new LocalFactory(),
          new LogFactory(),
          new LoopFactory(),
          new MinimalFactory(),
          new NsidFactory(),
          new PrometheusFactory(),
          new ReadyFactory(),
          new ReloadFactory(),
          new RewriteFactory(),
          new TemplateFactory(),
          new TlsFactory(),
          new TransferFactory(),
          new WhoamiFactory());

  private StandardPlugins() {}

  /// Factories by name.
  public static Map<String, PluginFactory> byName() {
    Map<String, PluginFactory> plugins = new TreeMap<>();
    ServiceLoader.load(PluginFactory.class)
        .forEach(plugin -> plugins.putIfAbsent(plugin.name(), plugin));
    SettingFactory.all().forEach(plugin -> plugins.put(plugin.name(), plugin));
    OURS.forEach(plugin -> plugins.put(plugin.name(), plugin));
    return plugins;
  }

  /// The same for a process whose components share watches.
  ///
  /// @param sharing see [io.fairlead.client.Client#sharing]
  public static Map<String, PluginFactory> byName(UnaryOperator<Client> sharing) {
    Map<String, PluginFactory> plugins = byName();
    KubernetesFactory kubernetes = new KubernetesFactory(sharing);
    plugins.put(kubernetes.name(), kubernetes);
    return plugins;
  }
}
