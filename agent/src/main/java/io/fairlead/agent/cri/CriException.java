package io.fairlead.agent.cri;

import io.grpc.Status;

/// A call to the engine that was refused, or not answered.
final class CriException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Status.Code code;

  CriException(Status.Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /// The engine does not answer; the same call may succeed later.
  boolean isUnreachable() {
    return code == Status.Code.UNAVAILABLE;
  }

  boolean isNotFound() {
    return code == Status.Code.NOT_FOUND;
  }

  boolean isTimeout() {
    return code == Status.Code.DEADLINE_EXCEEDED;
  }

  /// The engine does not know the call.
  boolean isUnknownCall() {
    return code == Status.Code.UNIMPLEMENTED;
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
