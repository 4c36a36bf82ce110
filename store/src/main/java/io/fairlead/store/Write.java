package io.fairlead.store;

/// One write of a commit, with what it expects of the key.
public sealed interface Write {
  /// Expect nothing of the key's present state.
  long ANY = -1;

  /// Expect that the key does not exist.
  long ABSENT = 0;

  String key();

  /// The revision the key must have: a mod revision, [#ABSENT] or [#ANY].
  long expectedRevision();

  /// Stores a value. `ttlSeconds` 0 keeps it for ever; otherwise it is deleted (with an event)
  /// about that long after this write, measured on a monotonic clock.
  record Put(String key, Value value, long expectedRevision, long ttlSeconds) implements Write {
    public Put(String key, byte[] value, long expectedRevision) {
      this(key, new Value(value), expectedRevision, 0);
    }
  }

  /// Removes a key. Deleting a missing key with [#ANY] does nothing.
  record Delete(String key, long expectedRevision) implements Write {}

  /// Writes nothing but makes the commit depend on the key's revision.
  record Check(String key, long expectedRevision) implements Write {}

  /// Bytes to store; not copied, so the caller must not change them afterwards.
  final class Value {
    private final byte[] bytes;

    public Value(byte[] bytes) {
      this.bytes = bytes;
    }

    public byte[] bytes() {
      return bytes;
    }
  }
}
