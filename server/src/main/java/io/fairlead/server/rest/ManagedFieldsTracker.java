package io.fairlead.server.rest;

import io.fairlead.api.apply.FieldManager;
import io.fairlead.api.apply.ManagedFields;
import io.fairlead.api.schema.StructType;
import tools.jackson.databind.node.ObjectNode;

/// Keeps `metadata.managedFields` for every write that is not an apply.
public final class ManagedFieldsTracker implements FieldOwnershipTracker {
  @Override
  public void created(ResourceRequest call, ObjectNode object, WriteOptions options) {
    ManagedFields.afterUpdate(null, object, type(call), manager(call, "", options));
  }

  @Override
  public void updated(
      ResourceRequest call,
      ObjectNode object,
      ObjectNode old,
      String subresource,
      WriteOptions options) {
    ManagedFields.afterUpdate(old, object, type(call), manager(call, subresource, options));
  }

  static StructType type(ResourceRequest call) {
    return call.resource().schema();
  }

  static FieldManager manager(ResourceRequest call, String subresource, WriteOptions options) {
    return new FieldManager(
        options.manager(), call.descriptor().apiVersion(), subresource, call.clock().instant());
  }
}
