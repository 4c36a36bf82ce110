package io.fairlead.server.rest;

import tools.jackson.databind.node.ObjectNode;

/// Keeps `metadata.managedFields`: who set which field.
public interface FieldOwnershipTracker {
  /// Notes the owner of everything in a new object. Changes it.
  void created(ResourceRequest call, ObjectNode object, WriteOptions options);

  /// Notes who changed what. Changes `object`.
  ///
  /// @param subresource the view through which it was changed; empty for the object itself
  void updated(
      ResourceRequest call,
      ObjectNode object,
      ObjectNode old,
      String subresource,
      WriteOptions options);
}
