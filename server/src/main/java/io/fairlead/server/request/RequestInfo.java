package io.fairlead.server.request;

/// What a request asks for, read from its method and path alone.
///
/// @param isResource whether the path names a resource; otherwise only `path` and `verb` count
/// @param verb `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`;
///   for other paths the method in lower case
/// @param resource the plural name; empty when the path ends before it
/// @param subresource the segment behind the name, or empty
/// @param rest what follows the subresource, for `…/proxy/a/b`
/// @param legacyWatch whether the old `/watch/` prefix was used
public record RequestInfo(
    boolean isResource,
    String verb,
    String path,
    String group,
    String version,
    String namespace,
    String resource,
    String name,
    String subresource,
    String rest,
    boolean namespaced,
    boolean legacyWatch) {

  /// A path that is no resource.
  public static RequestInfo ofPath(String method, String path) {
    return new RequestInfo(
        false,
        method.toLowerCase(java.util.Locale.ROOT),
        path,
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        false,
        false);
  }

  /// The same request seen as a get, list or watch of one name, when a field selector says so.
  public RequestInfo withName(String only) {
    return new RequestInfo(
        isResource,
        verb,
        path,
        group,
        version,
        namespace,
        resource,
        only,
        subresource,
        rest,
        namespaced,
        legacyWatch);
  }

  /// Whether this request changes something.
  public boolean isMutating() {
    return switch (verb) {
      case "get", "list", "watch", "head", "options" -> false;
      default -> true;
    };
  }
}
