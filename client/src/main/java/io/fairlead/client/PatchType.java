package io.fairlead.client;

/// The languages a change can be written in.
public enum PatchType {
  /// A list of operations (RFC 6902).
  JSON("application/json-patch+json"),
  /// A partial object; null removes (RFC 7386).
  MERGE("application/merge-patch+json"),
  /// A partial object whose lists are merged by key.
  STRATEGIC("application/strategic-merge-patch+json"),
  /// What the caller wants to own; needs a field manager.
  APPLY("application/apply-patch+yaml");

  private final String mediaType;

  PatchType(String mediaType) {
    this.mediaType = mediaType;
  }

  public String mediaType() {
    return mediaType;
  }
}
