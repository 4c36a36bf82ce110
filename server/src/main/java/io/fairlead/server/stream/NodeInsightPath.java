package io.fairlead.server.stream;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.request.RequestInfo;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/// A path `/fairlead/v1/nodes/NODE/WHAT`: a question to a node about itself.
///
/// @param verb `get` or `create`
/// @param what the path behind the node's name
public record NodeInsightPath(String verb, String node, String what) {
  private static final String PREFIX = "/fairlead/v1/nodes/";

  /// What can be answered for those who may see one namespace only.
  private static final Set<String> NAMESPACED = Set.of("rules", "flows");

  /// Empty for any other path.
  ///
  /// @throws ApiException 404 when the path ends too soon, 405 for another method
  public static Optional<NodeInsightPath> of(RequestInfo info) {
    if (info.isResource() || !info.path().startsWith(PREFIX)) {
      return Optional.empty();
    }
    String rest = info.path().substring(PREFIX.length());
    int slash = rest.indexOf('/');
    String what = slash < 0 ? "" : rest.substring(slash + 1);
    if (!what.matches("[a-z]+(/[a-z]+)?")) {
      throw ApiException.noSuchResource();
    }
    String verb =
        switch (info.verb()) {
          case "get" -> "get";
          case "post" -> "create";
          default -> throw ApiException.methodNotAllowed();
        };
    String node = URLDecoder.decode(rest.substring(0, slash), StandardCharsets.UTF_8);
    return Optional.of(new NodeInsightPath(verb, node, what));
  }

  /// Whether the rights in one namespace are enough.
  public boolean isNamespaced() {
    return verb.equals("get") && NAMESPACED.contains(what);
  }
}
