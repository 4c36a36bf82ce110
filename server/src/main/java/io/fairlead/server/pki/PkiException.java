package io.fairlead.server.pki;

/// Something about keys or certificates that only a person can put right. Says what failed, why,
/// and what to do next.
public final class PkiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final String why;
  private final String next;

  public PkiException(String what, String why, String next) {
    super(what + ": " + why + "; " + next);
    this.what = what;
    this.why = why;
    this.next = next;
  }

  PkiException(String what, String why, String next, Exception cause) {
    this(what, why, next);
    initCause(cause);
  }

  public String what() {
    return what;
  }

  public String why() {
    return why;
  }

  public String next() {
    return next;
  }
}
