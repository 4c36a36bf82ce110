package io.fairlead.dns.plugin;

import java.util.List;

/// Makes a plugin from its lines in one server block.
public interface PluginFactory {
  /// As in the Corefile and in [PluginOrder].
  String name();

  /// @param lines every directive of that name in the block, in order, at least one. A plugin that
  ///   allows only one says so with [Directive#problem] at the second.
  Plugin create(List<Directive> lines, BlockContext context) throws SetupException;
}
