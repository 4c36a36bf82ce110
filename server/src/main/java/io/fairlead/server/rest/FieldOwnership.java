package io.fairlead.server.rest;

import io.fairlead.api.apply.FieldManager;
import io.fairlead.api.apply.ManagedFields;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import tools.jackson.databind.node.ObjectNode;

/// Keeps `metadata.managedFields` for every write that is not an apply.
public final class FieldOwnership implements Ownership {
  @Override
  public void created(Call call, ObjectNode object, WriteOptions options) {
    ManagedFields.afterUpdate(null, object, type(call), manager(call, "", options));
  }

  @Override
  public void updated(
      Call call, ObjectNode object, ObjectNode old, String subresource, WriteOptions options) {
    ManagedFields.afterUpdate(old, object, type(call), manager(call, subresource, options));
  }

  static StructType type(Call call) {
    return Schemas.kubernetes().struct(call.descriptor().schemaName());
  }

  static FieldManager manager(Call call, String subresource, WriteOptions options) {
    return new FieldManager(
        options.manager(), call.descriptor().apiVersion(), subresource, call.clock().instant());
  }
}
