package io.fairlead.api.schema;

import java.util.List;

/// How a field's value combines with another: for strategic merge patch and for server-side apply.
/// Kubernetes defines the two separately and they do differ (Service ports merge by `port` in the
/// first and by `port`+`protocol` in the second), so both are kept.
///
/// @param patchMerge strategic merge: a list merges instead of being replaced
/// @param patchMergeKey the key by which list items pair; empty for lists of scalars
/// @param patchRetainKeys strategic merge: `$retainKeys` is understood for this object
/// @param applyAs server-side apply: one leaf, a set of scalars, a map of items, or field by field
/// @param applyKeys the keys of a list that is a map
public record MergeStrategy(
    boolean patchMerge,
    String patchMergeKey,
    boolean patchRetainKeys,
    ApplyAs applyAs,
    List<String> applyKeys) {

  /// Objects and maps go field by field, lists and scalars are replaced whole.
  public static final MergeStrategy DEFAULT =
      new MergeStrategy(false, "", false, ApplyAs.DEFAULT, List.of());

  public MergeStrategy {
    applyKeys = List.copyOf(applyKeys);
  }

  /// `x-kubernetes-list-type`, `x-kubernetes-map-type`.
  public enum ApplyAs {
    /// Lists atomic, objects and maps granular.
    DEFAULT,
    ATOMIC,
    SET,
    MAP
  }
}
