package io.fairlead.dns.plugin;

import java.util.List;

/// One feature of one server block. Made by its [PluginFactory], then started, then stopped once. A
/// plugin that takes part in answering is a [ChainPlugin]; others only set something up.
///
/// Life cycle: all plugins of a configuration are made before the first is started. If one cannot
/// start, those started before are stopped and the configuration is given up. On a reload the new
/// ones start before the old ones stop, so what both need (a port, a cache, a watch) is taken from
/// [SharedResources].
public interface Plugin {
  /// As in the Corefile.
  String name();

  /// What its lines say, with the defaults of what they leave out: one record for the plugin, or
  /// one for each line or rule. Empty for a plugin without options.
  default List<? extends Record> options() {
    return List.of();
  }

  /// Begins to work. Must not wait long; IllegalStateException with a reason when it cannot.
  default void start() {}

  /// The process is about to end but still answers. May wait: that is what lame duck means. Called
  /// for all plugins at the same time, each on its own thread.
  default void quiesce() {}

  /// Ends; idempotent.
  default void stop() {}
}
