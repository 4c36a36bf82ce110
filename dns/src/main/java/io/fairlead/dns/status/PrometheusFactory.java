package io.fairlead.dns.status;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.util.List;

/// Reads the line of `prometheus`.
public final class PrometheusFactory implements PluginFactory {
  @Override
  public String name() {
    return "prometheus";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.count(line, 0, 1, "prometheus [ADDRESS]");
    DirectiveReader.noBlock(line);
    String text = line.arguments().isEmpty() ? "localhost:9153" : line.arguments().getFirst();
    return new PrometheusPlugin(ListenAddress.read(line, text), context);
  }
}
