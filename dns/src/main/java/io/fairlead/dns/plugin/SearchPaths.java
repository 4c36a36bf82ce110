package io.fairlead.dns.plugin;

import io.fairlead.dns.wire.Name;
import java.util.List;

/// A plugin that knows in which domains a client looks for short names. Asked by `autopath`.
public interface SearchPaths {
  /// The client's search list, the root for "as it is" at the end; empty when the client is
  /// unknown.
  List<Name> searchPath(Query query);
}
