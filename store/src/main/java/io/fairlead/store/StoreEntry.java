package io.fairlead.store;

/// A value as it was stored. The bytes belong to the store: callers must not change them.
public final class StoreEntry {
  private final String key;
  private final byte[] value;
  private final long createRevision;
  private final long modRevision;

  public StoreEntry(String key, byte[] value, long createRevision, long modRevision) {
    this.key = key;
    this.value = value;
    this.createRevision = createRevision;
    this.modRevision = modRevision;
  }

  public String key() {
    return key;
  }

  /// Shared, not a copy.
  public byte[] value() {
    return value;
  }

  public long createRevision() {
    return createRevision;
  }

  public long modRevision() {
    return modRevision;
  }

  @Override
  public String toString() {
    return key + "@" + modRevision;
  }
}
