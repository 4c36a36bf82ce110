package io.fairlead.server.resources.cluster;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.PartialUpdateView;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StatusView;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A room for names. It goes in two steps: marked as terminating, emptied by a controller, and only
/// then removed, when no finalizer is left on it, neither in its metadata nor in its spec.
public final class NamespaceResource extends StoredResource {
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";
  private static final Set<String> STANDARD_FINALIZERS =
      Set.of("kubernetes", "orphan", "foregroundDeletion");
  private static final String EMPTIED = "kubernetes";
  private static final Set<String> PROTECTED = Set.of("default", "kube-system", "kube-public");
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME, Column.text("Status", "Whether it is in use or on its way out."), Cells.AGE);

  public NamespaceResource() {
    super(
        ResourceDescriptorBuilder.cluster("", "namespaces", "Namespace")
            .shortNames("ns")
            .verbs("create", "delete", "get", "list", "patch", "update", "watch")
            .build(),
        NameValidator.LABEL,
        Trait.STATUS,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public List<Subresource> subresources() {
    return List.of(
        new PartialUpdateView(
            "finalize",
            descriptor(),
            List.of("update"),
            (parent, changed, _) -> takeFinalizers(parent, changed.path("spec")),
            (_, _, _) -> List.of()),
        StatusView.of(this));
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    label(object);
    Json.child(object, "spec");
  }

  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    label(object);
    if (old != null) {
      takeFinalizers(object, old.path("spec"));
      return;
    }
    ObjectNode spec = Json.child(object, "spec");
    ArrayNode finalizers =
        spec.get("finalizers") instanceof ArrayNode given ? given : spec.putArray("finalizers");
    if (!Cells.strings(finalizers).contains(EMPTIED)) {
      finalizers.add(EMPTIED);
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    for (JsonNode finalizer : object.path("spec").path("finalizers")) {
      String name = finalizer.asString("");
      problems.each("spec.finalizers", name, NameValidation.qualifiedName(name));
      if (name.indexOf('/') < 0 && !STANDARD_FINALIZERS.contains(name)) {
        problems.invalid(
            "spec.finalizers",
            name,
            "name is neither a standard finalizer name nor is it fully qualified");
      }
    }
    return problems.list();
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    object.putObject("status").put("phase", "Active");
  }

  @Override
  public void checkDelete(ObjectNode object, RequestContext context) {
    String name = object.path("metadata").path("name").asString("");
    if (PROTECTED.contains(name)) {
      throw ApiException.forbidden("", "namespaces", name, "this namespace may not be deleted");
    }
  }

  @Override
  public void markDeleted(ObjectNode object) {
    Json.child(object, "metadata").remove("deletionGracePeriodSeconds");
    Json.child(object, "status").put("phase", "Terminating");
  }

  @Override
  public boolean mayBeRemoved(ObjectNode object) {
    return super.mayBeRemoved(object) && object.path("spec").path("finalizers").isEmpty();
  }

  @Override
  public Map<String, String> selectableFields(ObjectNode object) {
    return Map.of("status.phase", object.path("status").path("phase").asString(""));
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return List.of(
        Cells.name(object),
        Cells.text(object.path("status").path("phase").asString("")),
        Cells.age(object, now));
  }

  /// Every namespace can be selected by its name. A generated name is not known at first.
  private static void label(ObjectNode object) {
    ObjectNode metadata = Json.child(object, "metadata");
    String name = metadata.path("name").asString("");
    if (!name.isEmpty()) {
      Json.child(metadata, "labels").put(NAME_LABEL, name);
    }
  }

  private static void takeFinalizers(ObjectNode object, JsonNode from) {
    ObjectNode spec = Json.child(object, "spec");
    JsonNode finalizers = from.path("finalizers");
    if (finalizers.isEmpty()) {
      spec.remove("finalizers");
    } else {
      spec.set("finalizers", finalizers);
    }
  }
}
