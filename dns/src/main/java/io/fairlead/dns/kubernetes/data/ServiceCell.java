package io.fairlead.dns.kubernetes.data;

import org.jspecify.annotations.Nullable;

/// The place of one Service: the tables lead to it and it leads to the newest version, so that a
/// change of the Service is one write.
public final class ServiceCell {
  private final NamespaceCell namespace;
  private final ServiceCell[] alone = {this};
  private volatile @Nullable CompiledService current;

  ServiceCell(NamespaceCell namespace) {
    this.namespace = namespace;
  }

  /// The newest version; null when the Service is gone or has no names.
  public @Nullable CompiledService current() {
    return current;
  }

  /// The same, but only if its namespace exists and may be seen.
  public @Nullable CompiledService visible() {
    return namespace.visible() ? current : null;
  }

  /// Only this one, as the tables of addresses hold it: most addresses belong to one Service.
  ServiceCell[] alone() {
    return alone;
  }

  void current(@Nullable CompiledService compiled) {
    current = compiled;
  }
}
