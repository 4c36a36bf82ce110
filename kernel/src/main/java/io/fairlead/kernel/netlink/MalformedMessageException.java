package io.fairlead.kernel.netlink;

/// Bytes that are no netlink message: a length that points outside, or a value of the wrong size.
public final class MalformedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public MalformedMessageException(String message) {
    super(message);
  }
}
