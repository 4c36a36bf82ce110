package io.fairlead.insight.history;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Everything that a history is made of.
///
/// @param since older changes are left out
/// @param service the name asked for; empty for all
/// @param namespace empty for all
/// @param recorded entries of the API server and the controllers
/// @param nodes what the nodes recorded that answered
/// @param asked the nodes that were asked, in the order of columns
/// @param written the newest version of slices in the rules of each node that answered
/// @param events of the API, when nothing else is known; empty otherwise
public record HistoryEvidence(
    Instant since,
    String namespace,
    String service,
    List<JsonNode> recorded,
    List<NodeRecords> nodes,
    List<String> asked,
    Map<String, String> written,
    List<JsonNode> events) {
  public HistoryEvidence {
    recorded = List.copyOf(recorded);
    nodes = List.copyOf(nodes);
    asked = List.copyOf(asked);
    written = Map.copyOf(written);
    events = List.copyOf(events);
  }

  /// Whether no component's record could be read.
  public boolean isApiAlone() {
    return recorded.isEmpty() && nodes.isEmpty();
  }
}
