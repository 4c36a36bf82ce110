package io.fairlead.server.resources.kind;

import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resource.Subresource;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// A view that shows the whole object and writes one part of it.
///
/// @param writer puts what may be written from the changed object into the parent
/// @param validator finds what is wrong with the parent afterwards
public record PartialUpdateView(
    String name,
    ResourceDescriptor descriptor,
    List<String> verbs,
    Writer writer,
    Validator validator)
    implements Subresource.View {

  /// The verbs of a view that is read and written as objects are.
  public static final List<String> READ_AND_WRITE = List.of("get", "patch", "update");

  /// Puts a part of `changed` into `parent`.
  @FunctionalInterface
  public interface Writer {
    void write(ObjectNode parent, ObjectNode changed, RequestContext context);
  }

  /// Problems of `parent` after a write.
  @FunctionalInterface
  public interface Validator {
    List<FieldError> validate(ObjectNode parent, ObjectNode old, RequestContext context);
  }

  @Override
  public String group() {
    return descriptor.group();
  }

  @Override
  public String version() {
    return descriptor.version();
  }

  @Override
  public String kind() {
    return descriptor.kind();
  }

  @Override
  public String schemaName() {
    return descriptor.schemaName();
  }

  @Override
  public ObjectNode view(ObjectNode parent) {
    return parent;
  }

  @Override
  public void write(ObjectNode parent, ObjectNode changed, RequestContext context) {
    writer.write(parent, changed, context);
  }

  @Override
  public List<FieldError> validate(ObjectNode parent, ObjectNode old, RequestContext context) {
    return validator.validate(parent, old, context);
  }
}
