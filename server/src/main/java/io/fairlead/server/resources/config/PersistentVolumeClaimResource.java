package io.fairlead.server.resources.config;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A request for storage.
public final class PersistentVolumeClaimResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Status", "Whether a volume was found."),
          Column.text("Volume", "The volume."),
          Column.text("Capacity", "Its size."),
          Column.text("Access Modes", "How it can be mounted."),
          Column.text("StorageClass", "The sort of storage that was asked for."),
          Column.text("VolumeAttributesClass", "The attributes that were asked for."),
          Cells.AGE,
          Column.text("VolumeMode", "Files or a raw device.").wide());

  public PersistentVolumeClaimResource() {
    super(
        ResourceDescriptorBuilder.namespaced("", "persistentvolumeclaims", "PersistentVolumeClaim")
            .shortNames("pvc")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    Json.child(spec, "resources");
    Defaults.missingText(spec, "volumeMode", "Filesystem");
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    object.putObject("status").put("phase", "Pending");
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    ClaimValidation.checkSpec(object.path("spec"), "spec", problems);
    if (old != null && !frozen(object).equals(frozen(old))) {
      problems.forbidden(
          "spec",
          "spec is immutable after creation except resources.requests and"
              + " volumeAttributesClassName for bound claims");
    }
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    JsonNode status = object.path("status");
    String phase = status.path("phase").asString("");
    boolean going = object.path("metadata").has("deletionTimestamp");
    String volume = spec.path("volumeName").asString("");
    return List.of(
        Cells.name(object),
        Cells.text(going ? "Terminating" : phase),
        Cells.text(volume),
        Cells.text(volume.isEmpty() ? "" : status.at("/capacity/storage").asString("")),
        Cells.text(
            volume.isEmpty() ? "" : PersistentVolumeValidation.shown(status.path("accessModes"))),
        Cells.text(spec.path("storageClassName").asString("")),
        Cells.text(spec.path("volumeAttributesClassName").asString("<unset>")),
        Cells.age(object, now),
        Cells.text(spec.path("volumeMode").asString("<unset>")));
  }

  /// What may not change: all but the size, the attributes, and the volume that is filled in once.
  private static JsonNode frozen(ObjectNode object) {
    JsonNode spec = object.path("spec").deepCopy();
    if (spec instanceof ObjectNode copy) {
      copy.remove(List.of("resources", "volumeAttributesClassName", "volumeName"));
    }
    return spec;
  }
}
