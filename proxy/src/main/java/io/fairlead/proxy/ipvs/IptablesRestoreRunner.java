package io.fairlead.proxy.ipvs;

/// The iptables tools of one family, as far as this mode needs them. Failures are
/// [io.fairlead.proxy.core.DataPlaneException].
public interface IptablesRestoreRunner {

  /// Applies a document of `iptables-restore --noflush`.
  void restore(String document);

  /// A table as `iptables-save -t TABLE` prints it.
  String save(String table);
}
