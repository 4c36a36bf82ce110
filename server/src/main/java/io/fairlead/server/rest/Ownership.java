package io.fairlead.server.rest;

import tools.jackson.databind.node.ObjectNode;

/// Keeps `metadata.managedFields`: who set which field.
public interface Ownership {
  /// Notes the owner of everything in a new object. Changes it.
  void created(Call call, ObjectNode object, WriteOptions options);

  /// Notes who changed what. Changes `object`.
  ///
  /// @param subresource the view through which it was changed; empty for the object itself
  void updated(
      Call call, ObjectNode object, ObjectNode old, String subresource, WriteOptions options);
}
