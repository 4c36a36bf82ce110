package io.fairlead.server.webhook;

/// A webhook that could not be asked, or whose answer is none. The text is for users: it says whom
/// the server asked and what went wrong.
public final class WebhookException extends Exception {
  private static final long serialVersionUID = 1L;

  public WebhookException(String message) {
    super(message);
  }

  public WebhookException(String message, Throwable cause) {
    super(message, cause);
  }
}
