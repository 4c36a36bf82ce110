package io.fairlead.insight.progress;

import io.fairlead.api.json.Json;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The document `Wait` of a result. What is not known is null.
public final class WaitDocument {
  private WaitDocument() {}

  public static ObjectNode of(WaitResult result) {
    ObjectNode document =
        Json.object().put("apiVersion", "cli.fairlead.dev/v1").put("kind", "Wait");
    document
        .putObject("subject")
        .put("kind", "Service")
        .put("namespace", result.service().namespace())
        .put("name", result.service().name());
    document
        .put("condition", result.condition().toString())
        .put("done", result.state() == WaitResult.State.DONE)
        .put("millis", result.millis());
    result
        .goal()
        .ifPresentOrElse(
            goal -> versions(document.putObject("wanted"), goal.services(), goal.slices()),
            () -> document.putNull("wanted"));
    ArrayNode nodes = document.putArray("nodes");
    for (NodeProgress node : result.nodes()) {
      ObjectNode one = nodes.addObject().put("node", node.node()).put("done", node.isDone());
      node.millis().ifPresentOrElse(each -> one.put("millis", each), () -> one.putNull("millis"));
      versions(one.putObject("written"), node.services(), node.slices());
      one.put("source", node.source().toString());
      node.lastHeard()
          .ifPresentOrElse(
              at -> one.put("lastHeard", at.toString()), () -> one.putNull("lastHeard"));
    }
    result.left().forEach(document.putArray("left")::add);
    if (result.detail().isEmpty()) {
      document.putNull("detail");
    } else {
      document.put("detail", result.detail());
    }
    document.putArray("findings");
    return document;
  }

  private static void versions(ObjectNode out, String services, Map<String, String> slices) {
    if (services.isEmpty()) {
      out.putNull("services");
    } else {
      out.put("services", services);
    }
    slices.forEach(out.putObject("slices")::put);
  }
}
