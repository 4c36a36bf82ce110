package io.fairlead.client.transport;

/// No answer from the server: it could not be reached, the connection broke, or what came back was
/// no answer of an API server. Whether a write took effect is unknown.
public final class ConnectionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConnectionException(String message) {
    super(message);
  }

  public ConnectionException(String message, Throwable cause) {
    super(message, cause);
  }
}
