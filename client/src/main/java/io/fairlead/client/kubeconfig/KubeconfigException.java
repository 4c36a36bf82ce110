package io.fairlead.client.kubeconfig;

/// A kubeconfig that cannot be used or changed. Says what failed, why, and what to do next.
public final class KubeconfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String why;
  private final String next;

  KubeconfigException(String what, String why, String next) {
    super(what + ": " + why + ". " + next);
    this.why = why;
    this.next = next;
  }

  KubeconfigException(String what, String why, String next, Throwable cause) {
    super(what + ": " + why + ". " + next, cause);
    this.why = why;
    this.next = next;
  }

  /// The reason alone, for a message in three parts.
  public String why() {
    return why;
  }

  /// The advice alone.
  public String next() {
    return next;
  }
}
