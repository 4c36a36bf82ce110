package io.fairlead.dns.kubernetes.data;

/// The place of one namespace.
public final class NamespaceCell {
  private volatile boolean visible;

  /// Whether it exists and may be seen.
  public boolean visible() {
    return visible;
  }

  void visible(boolean now) {
    visible = now;
  }
}
