package io.fairlead.dns.builtin;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.corefile.RootPath;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SearchPaths;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.wire.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/// Reads the line of `autopath`.
public final class AutopathFactory implements PluginFactory {
  @Override
  public String name() {
    return "autopath";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.count(line, 1, 1000, "autopath [ZONES...] RESOLV-CONF | @PLUGIN");
    DirectiveReader.noBlock(line);
    List<String> words = line.arguments();
    String source = words.getLast();
    DnsZones zones =
        DirectiveReader.zones(line, words.subList(0, words.size() - 1), context.block());
    AutopathPlugin.Options options = new AutopathPlugin.Options(zones, source);
    if (!source.startsWith("@")) {
      List<Name> path = read(line, context, source);
      return new AutopathPlugin(options, () -> _ -> path, context.instance());
    }
    String plugin = source.substring(1);
    boolean there =
        context.block().directives().stream().anyMatch(each -> each.name().equals(plugin));
    if (!there) {
      throw line.problem("autopath: there is no plugin " + plugin + " in this block");
    }
    return new AutopathPlugin(options, () -> paths(context, plugin), context.instance());
  }

  private static SearchPaths paths(BlockContext context, String plugin) {
    return context
        .plugin(plugin)
        .filter(SearchPaths.class::isInstance)
        .map(SearchPaths.class::cast)
        .orElseThrow(
            () -> new IllegalStateException("autopath: " + plugin + " knows no search paths"));
  }

  private static List<Name> read(Directive line, BlockContext context, String file)
      throws SetupException {
    String text;
    try {
      text = Files.readString(RootPath.resolve(context.block(), file));
    } catch (IOException e) {
      throw line.problem("autopath: cannot read " + file + ": " + e.getMessage());
    }
    List<Name> path = new ArrayList<>();
    for (String each : text.split("\n")) {
      String[] words = each.strip().split("\\s+");
      if (words[0].equals("search") || words[0].equals("domain")) {
        path.clear();
        for (int i = 1; i < words.length; i++) {
          Name name = Name.parseOrNull(words[i]);
          if (name != null && !name.isRoot()) {
            path.add(name);
          }
        }
      }
    }
    if (path.isEmpty()) {
      throw line.problem("autopath: " + file + " has no search line");
    }
    path.add(Name.ROOT);
    return path;
  }
}
