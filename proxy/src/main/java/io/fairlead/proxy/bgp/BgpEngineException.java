package io.fairlead.proxy.bgp;

/// The program that speaks BGP does not run or does not do what it is asked.
public final class BgpEngineException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public BgpEngineException(String message) {
    super(message);
  }

  BgpEngineException(String message, Throwable cause) {
    super(message, cause);
  }
}
