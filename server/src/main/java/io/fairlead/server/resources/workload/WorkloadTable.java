package io.fairlead.server.resources.workload;

import io.fairlead.server.resource.Column;
import io.fairlead.server.resources.table.Cells;
import io.fairlead.server.resources.table.SelectorText;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Columns and cells that the tables of workloads share.
public final class WorkloadTable {
  public static final Column CONTAINERS =
      Column.text("Containers", "The names of the containers in a pod.").wide();
  public static final Column IMAGES = Column.text("Images", "Their images.").wide();
  public static final Column SELECTOR =
      Column.text("Selector", "The labels by which it knows its pods.").wide();

  private WorkloadTable() {}

  /// One field of each container of a template, joined.
  public static JsonNode containers(JsonNode template, String field) {
    List<String> values = new ArrayList<>();
    for (JsonNode container : template.path("spec").path("containers")) {
      values.add(container.path(field).asString(""));
    }
    return Cells.text(String.join(",", values));
  }

  public static JsonNode selector(JsonNode selector) {
    return Cells.orNone(SelectorText.ofSelector(selector));
  }
}
