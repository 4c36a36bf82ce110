package io.fairlead.client;

/// One object and no other: its kind, its place, and the uid that a later object of the same name
/// does not share.
public record ObjectRef(ResourceType type, ObjectKey key, String uid) {
  /// `services default/web`.
  @Override
  public String toString() {
    return type + " " + key;
  }
}
