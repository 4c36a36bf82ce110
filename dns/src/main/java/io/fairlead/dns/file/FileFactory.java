package io.fairlead.dns.file;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.corefile.Fallthrough;
import io.fairlead.dns.corefile.RootPath;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.zonefile.ZoneFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Reads the lines of `file`.
public final class FileFactory implements PluginFactory {
  private static final Duration RELOAD = Duration.ofMinutes(1);

  @Override
  public String name() {
    return "file";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    List<ServedZone> zones = new ArrayList<>();
    for (Directive line : lines) {
      DirectiveReader.count(line, 1, 1000, "file DBFILE [ZONES...]");
      Path file = RootPath.resolve(context.block(), line.arguments().getFirst());
      List<String> words = line.arguments().subList(1, line.arguments().size());
      Fallthrough fallthrough = Fallthrough.NEVER;
      Duration reload = RELOAD;
      for (Directive option : line.block()) {
        switch (option.name()) {
          case "fallthrough" -> fallthrough = Fallthrough.read(option);
          case "reload" -> {
            DirectiveReader.count(option, 1, 1, "reload DURATION");
            reload = DirectiveReader.duration(option, option.arguments().getFirst());
          }
          case "upstream" -> {
            // Retired: aliases are always followed.
          }
          default -> throw DirectiveReader.unknown(line, option, "reload", "fallthrough");
        }
      }
      for (Name origin : DirectiveReader.zones(line, words, context.block()).names()) {
        zones.add(zone(line, new ServedZone.Options(file, origin, fallthrough, reload)));
      }
    }
    return new FilePlugin(zones, context);
  }

  private static ServedZone zone(Directive line, ServedZone.Options options) throws SetupException {
    try {
      ServedZone zone = new ServedZone(options);
      zone.load();
      return zone;
    } catch (IOException | ZoneFileException e) {
      throw line.problem(
          "file: cannot use "
              + options.file()
              + " for "
              + options.origin()
              + ": "
              + e.getMessage());
    }
  }
}
