package io.fairlead.server.resource;

import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes the cells of the rows of one answer, so that what its rows have in common is read once.
@FunctionalInterface
public interface TableRows {
  /// One cell per column of the resource.
  List<JsonNode> cells(ObjectNode object, Instant now);
}
