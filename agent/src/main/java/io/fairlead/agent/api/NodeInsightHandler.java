package io.fairlead.agent.api;

import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// Answers what is asked about the node below `/fairlead/v1/`, after the caller's rights were
/// checked.
public interface NodeInsightHandler {
  /// A code and a document.
  record InsightAnswer(int code, ObjectNode body) {}

  /// One request.
  ///
  /// @param path behind the version: `rules/summary`
  /// @param body of a POST; empty otherwise
  record InsightRequest(
      String method, String path, Map<String, String> query, ObjectNode body, String user) {
    public InsightRequest {
      query = Map.copyOf(query);
    }
  }

  InsightAnswer answer(InsightRequest request, NodePodPlaces pods) throws InterruptedException;
}
