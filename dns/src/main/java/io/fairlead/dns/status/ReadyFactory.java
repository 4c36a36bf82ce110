package io.fairlead.dns.status;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.util.List;

/// Reads the line of `ready`.
public final class ReadyFactory implements PluginFactory {
  @Override
  public String name() {
    return "ready";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.count(line, 0, 1, "ready [ADDRESS]");
    ListenAddress address =
        ListenAddress.read(
            line, line.arguments().isEmpty() ? ":8181" : line.arguments().getFirst());
    boolean continuously = false;
    for (Directive option : line.block()) {
      if (!option.name().equals("monitor")) {
        throw DirectiveReader.unknown(line, option, "monitor");
      }
      DirectiveReader.count(option, 1, 1, "monitor until-ready|continuously");
      continuously =
          switch (option.arguments().getFirst()) {
            case "until-ready" -> false;
            case "continuously" -> true;
            default ->
                throw option.problem(
                    "monitor is until-ready or continuously, not " + option.arguments().getFirst());
          };
    }
    return new ReadyPlugin(new ReadyPlugin.Options(address, continuously), context.instance());
  }
}
