package io.fairlead.server.auth;

/// A token file that cannot be used. Says what failed, why, and what to do next.
public final class TokenFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final String why;
  private final String next;

  public TokenFileException(String what, String why, String next) {
    super(what + ": " + why + "; " + next);
    this.what = what;
    this.why = why;
    this.next = next;
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
