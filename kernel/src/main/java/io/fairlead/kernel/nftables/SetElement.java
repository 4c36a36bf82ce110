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
/// @param intervalEnd whether it ends a range of a set with one field: the first key behind it
public record SetElement(
    NftData key,
    @Nullable NftData keyEnd,
    @Nullable NftData value,
    @Nullable NftVerdict verdict,
    long timeoutMillis,
    long packets,
    long bytes,
    String comment,
    boolean intervalEnd) {

  public SetElement(
      NftData key,
      @Nullable NftData keyEnd,
      @Nullable NftData value,
      @Nullable NftVerdict verdict,
      long timeoutMillis,
      long packets,
      long bytes,
      String comment) {
    this(key, keyEnd, value, verdict, timeoutMillis, packets, bytes, comment, false);
  }

  /// The end of a range of a set with one field: the first key that is not in it.
  public static SetElement endBefore(NftData key) {
    return new SetElement(key, null, null, null, 0, -1, 0, "", true);
  }

  public static SetElement of(NftData key) {
    return new SetElement(key, null, null, null, 0, -1, 0, "");
  }

  public static SetElement of(NftData key, NftData value) {
    return new SetElement(key, null, value, null, 0, -1, 0, "");
  }

  public static SetElement of(NftData key, NftData value, String comment) {
    return new SetElement(key, null, value, null, 0, -1, 0, comment);
  }

  public static SetElement of(NftData key, NftVerdict verdict) {
    return new SetElement(key, null, null, verdict, 0, -1, 0, "");
  }

  /// The same with a comment.
  public SetElement named(String text) {
    return new SetElement(
        key, keyEnd, value, verdict, timeoutMillis, packets, bytes, text, intervalEnd);
  }

  public static SetElement range(NftData first, NftData last, String comment) {
    return new SetElement(first, last, null, null, 0, -1, 0, comment);
  }

  /// Whether both mean the same to packets and people: counters aside.
  public boolean sameAs(SetElement other) {
    return key.equals(other.key)
        && java.util.Objects.equals(keyEnd, other.keyEnd)
        && java.util.Objects.equals(value, other.value)
        && java.util.Objects.equals(verdict, other.verdict)
        && comment.equals(other.comment)
        && intervalEnd == other.intervalEnd;
  }

  /// The same with a counter that goes on from there.
  public SetElement counting(long fromPackets, long fromBytes) {
    return new SetElement(
        key, keyEnd, value, verdict, timeoutMillis, fromPackets, fromBytes, comment, intervalEnd);
  }
}
