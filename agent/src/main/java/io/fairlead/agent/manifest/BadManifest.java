package io.fairlead.agent.manifest;

/// A file that does not say what pod to run, and why.
public final class BadManifest extends Exception {
  private static final long serialVersionUID = 1L;

  BadManifest(String why) {
    super(why);
  }

  public String why() {
    return String.valueOf(getMessage());
  }
}
