package io.fairlead.dns.kubernetes;

import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.Query;
import java.util.List;

/// A plugin that does nothing but wants to see every answer, so that all take the chain. In the
/// order it claims the place of `acl`.
final class FastPathDisabler implements PluginFactory {
  @Override
  public String name() {
    return "slowly";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) {
    return new ChainPlugin() {
      @Override
      public String name() {
        return "acl";
      }

      @Override
      public DnsAnswer handle(Query query, Handler next) {
        return next.handle(query);
      }
    };
  }
}
