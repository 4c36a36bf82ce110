package io.fairlead.dns.plugin;

import java.util.Map;

/// A plugin that knows more about a query than its bytes say, such as the pod that sent it. Asked
/// when a log format or a template names such a fact.
public interface MetadataSource {
  /// Facts by label, `kubernetes/client-namespace`.
  Map<String, String> metadata(Query query);
}
