package io.fairlead.server.rest;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.request.RequestInfo;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.Subresource;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/// Writes objects that the server itself keeps, through the same steps as everybody's: defaults,
/// validation, ownership.
public final class InternalWriter {
  private static final UserInfo SELF =
      new UserInfo("system:apiserver", "", List.of("system:masters"), Map.of());
  private static final WriteOptions OPTIONS =
      new WriteOptions(false, WriteOptions.Strictness.STRICT, "fairlead", false);

  private final RestDependencies core;
  private final CreateHandler creates;
  private final UpdateHandler updates;
  private final DeleteHandler deletes;

  InternalWriter(
      RestDependencies core, CreateHandler creates, UpdateHandler updates, DeleteHandler deletes) {
    this.core = core;
    this.creates = creates;
    this.updates = updates;
    this.deletes = deletes;
  }

  /// Asks for an object to go; one with finalizers stays until they are gone. Nothing happens when
  /// there is none.
  public void delete(Resource resource, String namespace, String name) {
    ResourceRequest call = call(resource, namespace, "delete").about(resource, namespace, name);
    try {
      var _ = deletes.delete(call, DeleteRequestOptions.PLAIN);
    } catch (ApiException e) {
      if (e.status().code() != 404) {
        throw e;
      }
    }
  }

  /// Makes the object unless one of that name exists.
  ///
  /// @return whether it was made
  public boolean createIfMissing(Resource resource, String namespace, ObjectNode object) {
    String key = resource.descriptor().key(namespace, ObjectMetadata.name(object));
    if (core.store().get(key) != null) {
      return false;
    }
    try {
      creates.create(call(resource, namespace, "create"), object.deepCopy(), OPTIONS, false);
      return true;
    } catch (ApiException e) {
      // Another server on the same store may have made it meanwhile. That need not be told as
      // AlreadyExists: a Service finds its address taken first.
      if (core.store().get(key) != null) {
        return false;
      }
      throw e;
    }
  }

  /// Changes an object that exists; nothing is written when the change changes nothing.
  public void update(
      Resource resource, String namespace, String name, UnaryOperator<ObjectNode> change) {
    ResourceRequest call = call(resource, namespace, "update").about(resource, namespace, name);
    updates.update(call, new UpdateHandler.Route.Whole(), change::apply, OPTIONS);
  }

  /// Changes the status of an object that exists; nothing is written when nothing changes.
  public void updateStatus(
      Resource resource, String namespace, String name, UnaryOperator<ObjectNode> change) {
    for (Subresource part : resource.subresources()) {
      if (part instanceof Subresource.View view && view.name().equals("status")) {
        ResourceRequest call = call(resource, namespace, "update").about(resource, namespace, name);
        updates.update(call, new UpdateHandler.Route.Through(view), change::apply, OPTIONS);
      }
    }
  }

  private ResourceRequest call(Resource resource, String namespace, String verb) {
    RequestInfo info =
        new RequestInfo(
            true,
            verb,
            "",
            resource.descriptor().group(),
            resource.descriptor().version(),
            namespace,
            resource.descriptor().plural(),
            "",
            "",
            "",
            !namespace.isEmpty(),
            false);
    return ResourceRequest.internal(core, info, resource, namespace, SELF);
  }
}
