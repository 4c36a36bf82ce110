package io.fairlead.server.admission.webhook;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.ZeroValues;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A request as admission sees it.
///
/// @param resource of the path
/// @param subresource of the path; empty for the object itself
/// @param kind of `object` and `old`
/// @param namespace of the path; for a Namespace that is named there, its name
/// @param name empty where the server has yet to make one
/// @param object as it shall be; null on delete
/// @param old as it is; null on create and connect
/// @param options `CreateOptions` and so on; null on connect
public record AdmissionAttributes(
    Operation operation,
    Resource resource,
    String subresource,
    Kind kind,
    String namespace,
    String name,
    @Nullable ObjectNode object,
    @Nullable ObjectNode old,
    @Nullable ObjectNode options,
    RequestContext context) {

  /// What is done, in the words of AdmissionReview.
  public enum Operation {
    CREATE,
    UPDATE,
    DELETE,
    CONNECT
  }

  /// A kind in a version of its group.
  public record Kind(String group, String version, String kind) {
    static Kind of(ResourceDescriptor descriptor) {
      return new Kind(descriptor.group(), descriptor.version(), descriptor.kind());
    }

    ObjectNode toJson() {
      return Json.object().put("group", group).put("version", version).put("kind", kind);
    }
  }

  public ResourceDescriptor descriptor() {
    return resource.descriptor();
  }

  /// The refusal of this request, for that reason.
  public ApiException forbidden(String why) {
    return ApiException.forbidden(descriptor().group(), descriptor().plural(), name, why);
  }

  /// The resource, as AdmissionReview names one.
  ObjectNode resourceJson() {
    ResourceDescriptor descriptor = descriptor();
    return Json.object()
        .put("group", descriptor.group())
        .put("version", descriptor.version())
        .put("resource", descriptor.plural());
  }

  boolean isNamespaceObject() {
    return descriptor().group().isEmpty() && descriptor().plural().equals("namespaces");
  }

  /// The same with another object.
  public AdmissionAttributes with(ObjectNode changed) {
    return new AdmissionAttributes(
        operation, resource, subresource, kind, namespace, name, changed, old, options, context);
  }

  /// The same request as one for another version of the resource.
  public AdmissionAttributes as(Resource other) {
    // The kind of a subresource such as Scale belongs to no version of the resource.
    boolean own = kind.equals(Kind.of(descriptor()));
    return new AdmissionAttributes(
        operation,
        other,
        subresource,
        own ? Kind.of(other.descriptor()) : kind,
        namespace,
        name,
        own ? converted(object, resource, other) : object,
        own ? converted(old, resource, other) : old,
        options,
        context);
  }

  /// An object of one resource in the shape of another that shares its storage.
  static @Nullable ObjectNode converted(@Nullable ObjectNode object, Resource from, Resource to) {
    if (object == null) {
      return null;
    }
    ObjectNode shown = to.fromStored(from.toStored(object.deepCopy()));
    shown.put("kind", to.descriptor().kind()).put("apiVersion", to.descriptor().apiVersion());
    StructType type = Schemas.kubernetes().find(to.descriptor().schemaName());
    if (type != null) {
      ZeroValues.complete(shown, type);
    }
    return shown;
  }
}
