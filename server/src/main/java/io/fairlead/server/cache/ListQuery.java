package io.fairlead.server.cache;

/// A list as the client asked for it, unchecked.
///
/// @param resourceVersion as in the query, empty when absent
/// @param match `resourceVersionMatch`, empty when absent
/// @param limit 0 for none
/// @param continueToken empty on the first page
public record ListQuery(
    SelectionPredicate selection,
    String resourceVersion,
    String match,
    long limit,
    String continueToken) {
  public static ListQuery of(SelectionPredicate selection) {
    return new ListQuery(selection, "", "", 0, "");
  }
}
