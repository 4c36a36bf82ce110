package io.fairlead.dns.forward;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.util.ArrayList;
import java.util.List;

/// Makes `forward` from its lines.
public final class ForwardFactory implements PluginFactory {
  /// Makes what carries queries to servers; tests have their own.
  @FunctionalInterface
  interface ExchangeFactory {
    UpstreamExchange make(ForwardOptions options, InstanceContext instance);
  }

  private final String name;
  private final ExchangeFactory exchanges;

  public ForwardFactory() {
    this("forward");
  }

  private ForwardFactory(String name) {
    this(
        name,
        (options, instance) -> new SocketExchange(options, instance.ticker(), instance.metrics()));
  }

  private ForwardFactory(String name, ExchangeFactory exchanges) {
    this.name = name;
    this.exchanges = exchanges;
  }

  /// For Corefiles from before `forward` took the place of `proxy`.
  public static ForwardFactory retiredProxy() {
    return new ForwardFactory("proxy");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    List<Forwarder> forwarders = new ArrayList<>();
    for (Directive line : lines) {
      DirectiveReader.count(line, 2, 16, "forward FROM TO... (up to 15)");
      ForwardOptions options = new ForwardOptionReader(line).read();
      InstanceContext instance = context.instance();
      forwarders.add(new Forwarder(options, instance, exchanges.make(options, instance)));
    }
    return new ForwardPlugin(forwarders);
  }
}
