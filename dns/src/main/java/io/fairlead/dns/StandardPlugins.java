package io.fairlead.dns;

import io.fairlead.dns.cache.CacheFactory;
import io.fairlead.dns.forward.ForwardFactory;
import io.fairlead.dns.kubernetes.KubernetesFactory;
import io.fairlead.dns.plugin.PluginFactory;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/// All plugins that can stand in a Corefile: ours, and those that other jars on the class path
/// offer as services.
public final class StandardPlugins {
  /// Ours. A new plugin is one line here and one in [io.fairlead.dns.plugin.PluginOrder#NAMES].
  private static final List<PluginFactory> OURS =
      List.of(new CacheFactory(), new ForwardFactory(), new KubernetesFactory());

  private StandardPlugins() {}

  /// Factories by name.
  public static Map<String, PluginFactory> byName() {
    Map<String, PluginFactory> plugins = new TreeMap<>();
    ServiceLoader.load(PluginFactory.class)
        .forEach(plugin -> plugins.putIfAbsent(plugin.name(), plugin));
    OURS.forEach(plugin -> plugins.put(plugin.name(), plugin));
    return plugins;
  }
}
