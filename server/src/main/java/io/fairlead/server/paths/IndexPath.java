package io.fairlead.server.paths;

import io.fairlead.api.json.Json;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.render.Negotiation;
import io.fairlead.server.render.ResponseWriter;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import java.io.IOException;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Serves `/`: the list of paths that lead somewhere.
public final class IndexPath implements PathHandler {
  private static final List<String> FIXED =
      List.of(
          "/.well-known/openid-configuration",
          "/api",
          "/apis",
          "/healthz",
          "/livez",
          "/metrics",
          "/openapi/v2",
          "/openapi/v3",
          "/openid/v1/jwks",
          "/readyz",
          "/version");

  private final Supplier<List<String>> others;
  private volatile SortedSet<String> own;

  /// @param others the versions that other servers serve, `/apis/GROUP/VERSION`
  public IndexPath(List<Resource> resources, Supplier<List<String>> others) {
    this.own = paths(resources);
    this.others = others;
  }

  private static SortedSet<String> paths(List<Resource> resources) {
    SortedSet<String> paths = new TreeSet<>(FIXED);
    for (Resource resource : resources) {
      ResourceDescriptor descriptor = resource.descriptor();
      if (descriptor.group().isEmpty()) {
        paths.add("/api/" + descriptor.version());
      } else {
        paths.add("/apis/" + descriptor.group());
        paths.add("/apis/" + descriptor.apiVersion());
      }
    }
    return paths;
  }

  @Override
  public void served(List<Resource> all) {
    own = paths(all);
  }

  @Override
  public boolean handle(HttpServerExchange exchange) throws IOException {
    if (!exchange.path().equals("/")) {
      return false;
    }
    SortedSet<String> paths = new TreeSet<>(own);
    for (String version : others.get()) {
      paths.add(version);
      paths.add(version.substring(0, version.lastIndexOf('/')));
    }
    ObjectNode document = Json.object();
    paths.forEach(document.putArray("paths")::add);
    ResponseWriter.tree(exchange, Negotiation.forDocuments(exchange), 200, document);
    return true;
  }
}
