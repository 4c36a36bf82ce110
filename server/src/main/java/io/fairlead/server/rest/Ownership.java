package io.fairlead.server.rest;

import tools.jackson.databind.node.ObjectNode;

/// Keeps `metadata.managedFields`: who set which field.
public interface Ownership {
  /// Keeps no record.
  Ownership NONE =
      new Ownership() {
        @Override
        public void created(Call call, ObjectNode object, WriteOptions options) {}

        @Override
        public void updated(
            Call call,
            ObjectNode object,
            ObjectNode old,
            String subresource,
            WriteOptions options) {}
      };

  /// Notes the owner of everything in a new object. Changes it.
  void created(Call call, ObjectNode object, WriteOptions options);

  /// Notes who changed what. Changes `object`.
  ///
  /// @param subresource the view through which it was changed; empty for the object itself
  void updated(
      Call call, ObjectNode object, ObjectNode old, String subresource, WriteOptions options);
}
