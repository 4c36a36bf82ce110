package io.fairlead.api.json;

/// A body that cannot be read: not JSON, not YAML, not protobuf, too deep, or a value of the wrong
/// type. The only thing the decoders throw; its text is written for the user of kubectl. Made
/// without a stack trace: it is an answer, not a fault.
public final class DecodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DecodeException(String message) {
    super(message, null, false, false);
  }
}
