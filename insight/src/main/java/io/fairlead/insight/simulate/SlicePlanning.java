package io.fairlead.insight.simulate;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// How endpoints are put into slices: the packing of the EndpointSlice controller.
@FunctionalInterface
public interface SlicePlanning {
  /// All slices of a Service after its controller has dealt with it.
  ///
  /// @param pods of its namespace
  /// @param slices those it has now
  List<ObjectNode> after(
      ObjectNode service, List<ObjectNode> pods, List<ObjectNode> nodes, List<ObjectNode> slices);
}
