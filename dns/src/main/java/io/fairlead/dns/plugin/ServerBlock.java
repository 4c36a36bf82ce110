package io.fairlead.dns.plugin;

import io.fairlead.dns.wire.Name;
import java.util.List;

/// One block of the Corefile, parsed: which zones it serves and the directives in it, in written
/// order, snippets and imports already put in.
public record ServerBlock(List<ServerKey> keys, List<Directive> directives, String file, int line) {
  public ServerBlock {
    keys = List.copyOf(keys);
    directives = List.copyOf(directives);
  }

  /// The zones of its keys, each once.
  public List<Name> zones() {
    return keys.stream().map(ServerKey::zone).distinct().toList();
  }
}
