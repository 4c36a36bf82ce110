package io.fairlead.dns.plugin;

import java.util.List;
import java.util.Optional;

/// What a plugin may know of the server block it stands in.
public interface BlockContext {
  ServerBlock block();

  /// What listeners of this block are like.
  BlockSettings settings();

  /// Replaces the settings. Plugins such as `bind` and `tls` call it while they are made.
  void settings(BlockSettings changed);

  /// The plugins of this block in chain order. Complete from [Plugin#start] on.
  List<Plugin> plugins();

  InstanceContext instance();

  default Optional<Plugin> plugin(String name) {
    return plugins().stream().filter(plugin -> plugin.name().equals(name)).findFirst();
  }
}
