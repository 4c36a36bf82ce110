package io.fairlead.kernel.nftables;

import org.jspecify.annotations.Nullable;

/// One element of a set or a map.
///
/// @param keyEnd the last key of a range; null for a single key
/// @param value of a map to data; null otherwise
/// @param verdict of a map to verdicts; null otherwise
/// @param timeoutMillis after how long it vanishes; 0 for what the set says
/// @param packets what its counter begins with, or has counted; -1 for no counter of its own
/// @param comment for people, empty for none
public record Element(
    Bytes key,
    @Nullable Bytes keyEnd,
    @Nullable Bytes value,
    @Nullable Verdict verdict,
    long timeoutMillis,
    long packets,
    long bytes,
    String comment) {

  public static Element of(Bytes key) {
    return new Element(key, null, null, null, 0, -1, 0, "");
  }

  public static Element of(Bytes key, Bytes value) {
    return new Element(key, null, value, null, 0, -1, 0, "");
  }

  public static Element of(Bytes key, Bytes value, String comment) {
    return new Element(key, null, value, null, 0, -1, 0, comment);
  }

  public static Element of(Bytes key, Verdict verdict) {
    return new Element(key, null, null, verdict, 0, -1, 0, "");
  }

  public static Element range(Bytes first, Bytes last, String comment) {
    return new Element(first, last, null, null, 0, -1, 0, comment);
  }

  /// Whether both mean the same to packets and people: counters aside.
  public boolean sameAs(Element other) {
    return key.equals(other.key)
        && java.util.Objects.equals(keyEnd, other.keyEnd)
        && java.util.Objects.equals(value, other.value)
        && java.util.Objects.equals(verdict, other.verdict)
        && comment.equals(other.comment);
  }

  /// The same with a counter that goes on from there.
  public Element counting(long fromPackets, long fromBytes) {
    return new Element(key, keyEnd, value, verdict, timeoutMillis, fromPackets, fromBytes, comment);
  }
}
