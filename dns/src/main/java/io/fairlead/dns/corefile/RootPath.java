package io.fairlead.dns.corefile;

import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.ServerBlock;
import java.nio.file.Path;

/// Where the files of a block lie: the plugin `root` names a directory that relative names start
/// from.
public final class RootPath {
  private RootPath() {}

  public static Path resolve(ServerBlock block, String file) {
    Path path = Path.of(file);
    if (path.isAbsolute()) {
      return path;
    }
    for (Directive directive : block.directives()) {
      if (directive.name().equals("root") && !directive.arguments().isEmpty()) {
        return Path.of(directive.arguments().getFirst()).resolve(path);
      }
    }
    return path;
  }
}
