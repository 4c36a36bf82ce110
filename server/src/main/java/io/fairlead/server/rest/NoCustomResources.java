package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.render.ResponseWriter;
import io.fairlead.server.request.RequestInfo;
import java.io.IOException;
import tools.jackson.databind.node.ObjectNode;

/// The list of CustomResourceDefinitions, which is empty. kubectl asks for it when it does not know
/// a kind: without an answer it blames the list, and with one it says which kind has no match.
public final class NoCustomResources {
  private static final String GROUP = "apiextensions.k8s.io";
  private static final String VERSION = "v1";

  private NoCustomResources() {}

  /// Whether a request asks for that list.
  public static boolean answers(RequestInfo info) {
    return info.verb().equals("list")
        && info.group().equals(GROUP)
        && info.version().equals(VERSION)
        && info.resource().equals("customresourcedefinitions")
        && !info.namespaced();
  }

  public static void send(HttpServerExchange exchange) throws IOException {
    ObjectNode list =
        Json.object()
            .put("kind", "CustomResourceDefinitionList")
            .put("apiVersion", GROUP + "/" + VERSION);
    list.putObject("metadata").put("resourceVersion", "1");
    list.putArray("items");
    ResponseWriter.bytes(exchange, "application/json", 200, Json.bytes(list));
  }
}
