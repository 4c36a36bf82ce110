package io.fairlead.client;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// One page of a list.
///
/// @param resourceVersion the state all pages of the list show
/// @param continueToken leads to the next page; empty on the last
public record ObjectPage(List<ObjectNode> items, String resourceVersion, String continueToken) {
  public ObjectPage {
    items = List.copyOf(items);
  }
}
