package io.fairlead.dns.builtin;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.wire.Name;
import java.util.List;

/// Reads the line of `loop`.
public final class LoopFactory implements PluginFactory {
  @Override
  public String name() {
    return "loop";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.count(line, 0, 1, "loop [exit]");
    DirectiveReader.noBlock(line);
    boolean exit = !line.arguments().isEmpty();
    if (exit && !line.arguments().getFirst().equals("exit")) {
      throw line.problem("loop takes nothing or exit, not " + line.arguments().getFirst());
    }
    List<Name> zones = context.block().zones();
    Name zone = zones.isEmpty() ? Name.ROOT : zones.getFirst();
    return new LoopPlugin(new LoopPlugin.Options(zone, exit), context);
  }
}
