package io.fairlead.client;

import tools.jackson.databind.node.ObjectNode;

/// A whole object as the server sent it. The tree is shared by all who read it: copy before
/// changing.
public record ApiObject(ObjectMeta metadata, ObjectNode body) implements HasMetadata {
  public static ApiObject of(ObjectNode body) {
    return new ApiObject(ObjectMeta.of(body), body);
  }
}
