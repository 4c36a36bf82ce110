package io.fairlead.server.cache;

import io.fairlead.api.selector.FieldSelector;
import io.fairlead.api.selector.LabelSelector;
import org.jspecify.annotations.Nullable;

/// Which objects of a resource a list or a watch is about.
///
/// @param namespace only this one; empty for all, and for cluster-scoped resources
public record SelectionPredicate(String namespace, LabelSelector labels, FieldSelector fields) {
  public static final SelectionPredicate EVERYTHING =
      new SelectionPredicate("", LabelSelector.EVERYTHING, FieldSelector.EVERYTHING);

  /// All objects of a namespace.
  public static SelectionPredicate namespace(String namespace) {
    return new SelectionPredicate(namespace, LabelSelector.EVERYTHING, FieldSelector.EVERYTHING);
  }

  /// Whether every object of the namespace is meant.
  boolean isUnfiltered() {
    return labels.isEmpty() && fields.isEmpty();
  }

  /// Whether it takes another program to tell which objects these are, because it converts them:
  /// that is not asked while others wait.
  boolean isAnsweredRemotely(CachedObjectReader reader) {
    return reader.isRemote() && CachedObject.isContent(fields);
  }

  boolean matches(CachedObject object) {
    return (namespace.isEmpty() || namespace.equals(object.namespace()))
        && (labels.isEmpty() || labels.matches(object.labels()))
        && (fields.isEmpty() || fields.matches(object.fields(fields)));
  }

  /// The one name that is asked for, or null when there may be several.
  @Nullable String exactName() {
    return fields.exactValue("metadata.name");
  }
}
