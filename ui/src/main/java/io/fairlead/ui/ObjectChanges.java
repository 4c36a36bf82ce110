package io.fairlead.ui;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ApiRequest;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What the page may change where its host allows that: each change is one request of the session's
/// user, which the API server judges and records like any other.
final class ObjectChanges {
  private static final int MOST_REPLICAS = 1000;
  private static final String RESTARTED = "kubectl.kubernetes.io/restartedAt";

  private ObjectChanges() {}

  /// @param request `kind` (`scale`, `restart`, `selector`, `mode`, `repair`), what it is about
  ///   (`namespace` and `name`, `node`), what the kind takes, and `dryRun`, which is meant when it
  ///   is left out
  static ObjectNode apply(Client client, JsonNode request, Instant now) {
    Map<String, String> query = new HashMap<>();
    query.put("fieldManager", "fairlead-ui");
    if (request.path("dryRun").asBoolean(true)) {
      query.put("dryRun", "All");
    }
    String kind = Json.textOr(request, "", "kind");
    ProxyChanges proxies = new ProxyChanges(client, query);
    return switch (kind) {
      case "mode" -> proxies.mode(Json.textOr(request, "", "mode"));
      case "repair" -> proxies.repair(CommandLines.name(Json.textOr(request, "", "node")));
      default -> patched(client, request, query, now);
    };
  }

  private static ObjectNode patched(
      Client client, JsonNode request, Map<String, String> query, Instant now) {
    String kind = Json.textOr(request, "", "kind");
    String namespace = CommandLines.name(Json.textOr(request, "", "namespace"));
    String name = CommandLines.name(Json.textOr(request, "", "name"));
    ObjectNode patch = Json.object();
    ResourceType type =
        switch (kind) {
          case "scale" -> {
            int replicas = request.path("replicas").asInt(-1);
            if (replicas < 0 || replicas > MOST_REPLICAS) {
              throw ApiException.badRequest("replicas is no number from 0 to " + MOST_REPLICAS);
            }
            patch.putObject("spec").put("replicas", replicas);
            yield ResourceType.DEPLOYMENTS;
          }
          case "restart" -> {
            // What kubectl rollout restart writes.
            Json.child(Json.child(Json.child(patch, "spec"), "template"), "metadata")
                .putObject("annotations")
                .put(RESTARTED, now.toString());
            yield ResourceType.DEPLOYMENTS;
          }
          case "selector" -> {
            if (!(request.path("selector") instanceof ObjectNode selector)) {
              throw ApiException.badRequest("a change of the selector needs one");
            }
            patch.putObject("spec").set("selector", selector);
            yield ResourceType.SERVICES;
          }
          default -> throw ApiException.badRequest("no such change: " + kind);
        };
    ObjectNode after =
        client
            .raw(
                ApiRequest.with(
                        "PATCH", type.path(namespace) + "/" + ApiRequest.escape(name), query, patch)
                    .ofType(PatchType.MERGE.mediaType()))
            .object();
    ObjectNode answer = Json.object();
    answer.set("after", after);
    return answer;
  }
}
