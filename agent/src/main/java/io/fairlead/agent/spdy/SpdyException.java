package io.fairlead.agent.spdy;

import java.io.IOException;

/// The peer sent what is no SPDY/3.1, or more of it than we take.
public final class SpdyException extends IOException {
  private static final long serialVersionUID = 1L;

  SpdyException(String message) {
    super(message);
  }
}
