package io.fairlead.proxy.nodeapi;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import java.time.Instant;
import java.time.InstantSource;
import tools.jackson.databind.node.ObjectNode;

/// `changes`: what the proxy recorded, and the time of this machine, so that a reader can tell how
/// far its clock is off.
final class ChangesDocument {
  private static final int PAGE = 1000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final NodeView view;
  private final InstantSource clock;

  ChangesDocument(NodeView view, InstantSource clock) {
    this.view = view;
    this.clock = clock;
  }

  ObjectNode answer(NodeApiRequest request) {
    ObjectNode document = Json.object().put("kind", "NodeChanges").put("node", view.nodeName());
    document.setAll(
        view.changes()
            .since(number(request, "since", 0), (int) number(request, "limit", PAGE))
            .toJson());
    Instant now = clock.instant();
    return document.put("now", now.getEpochSecond() * NANOS_PER_SECOND + now.getNano());
  }

  private static long number(NodeApiRequest request, String name, long otherwise) {
    String text = request.text(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    if (!text.matches("[0-9]{1,9}")) {
      throw ApiException.badRequest(name + " is no number: " + text);
    }
    return Long.parseLong(text);
  }
}
