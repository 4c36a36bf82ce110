package io.fairlead.server.resources.config;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Times;
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

/// A piece of storage.
public final class PersistentVolumeResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Capacity", "Its size."),
          Column.text("Access Modes", "How it can be mounted."),
          Column.text("Reclaim Policy", "What becomes of it when its claim goes."),
          Column.text("Status", "Whether it is free, bound or released."),
          Column.text("Claim", "The claim that has it."),
          Column.text("StorageClass", "The sort of storage it is."),
          Column.text("VolumeAttributesClass", "Its attributes."),
          Column.text("Reason", "Why it is in that state."),
          Cells.AGE,
          Column.text("VolumeMode", "Files or a raw device.").wide());

  public PersistentVolumeResource() {
    super(
        ResourceDescriptorBuilder.cluster("", "persistentvolumes", "PersistentVolume")
            .shortNames("pv")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    Defaults.text(spec, "persistentVolumeReclaimPolicy", "Retain");
    Defaults.missingText(spec, "volumeMode", "Filesystem");
    if (spec.get("hostPath") instanceof ObjectNode source) {
      Defaults.missingText(source, "type", "");
    }
  }

  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    if (old == null) {
      Json.child(object, "status")
          .put("phase", "Pending")
          .put("lastPhaseTransitionTime", Times.seconds(context.clock().instant()));
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    PersistentVolumeValidation.checkVolume(object.path("spec"), problems);
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    JsonNode claim = spec.path("claimRef");
    boolean going = object.path("metadata").has("deletionTimestamp");
    return List.of(
        Cells.name(object),
        Cells.text(spec.at("/capacity/storage").asString("")),
        Cells.text(PersistentVolumeValidation.shown(spec.path("accessModes"))),
        Cells.text(spec.path("persistentVolumeReclaimPolicy").asString("")),
        Cells.text(going ? "Terminating" : object.at("/status/phase").asString("")),
        Cells.text(
            claim.isObject()
                ? claim.path("namespace").asString("") + "/" + claim.path("name").asString("")
                : ""),
        Cells.text(spec.path("storageClassName").asString("")),
        Cells.text(spec.path("volumeAttributesClassName").asString("<unset>")),
        Cells.text(object.at("/status/reason").asString("")),
        Cells.age(object, now),
        Cells.text(spec.path("volumeMode").asString("<unset>")));
  }
}
