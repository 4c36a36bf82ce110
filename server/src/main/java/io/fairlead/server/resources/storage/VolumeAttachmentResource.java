package io.fairlead.server.resources.storage;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.DriverNames;
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

/// The wish to attach a volume to a node, and what came of it.
public final class VolumeAttachmentResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Attacher", "The driver that attaches it."),
          Column.text("PV", "The volume."),
          Column.text("Node", "The node."),
          Column.text("Attached", "Whether it is attached."),
          Cells.AGE);

  public VolumeAttachmentResource() {
    super(
        ResourceDescriptorBuilder.cluster("storage.k8s.io", "volumeattachments", "VolumeAttachment")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.NEEDS_RESOURCE_VERSION,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    object.putObject("status").put("attached", false);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode spec = object.path("spec");
    String attacher = spec.path("attacher").asString("");
    DriverNames.check(attacher, "spec.attacher", problems);
    JsonNode source = spec.path("source");
    boolean named = source.has("persistentVolumeName");
    boolean inline = source.path("inlineVolumeSpec").isObject();
    String one = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
    if (named && inline) {
      problems.forbidden("spec.source", one);
    } else if (!named && !inline) {
      problems.required("spec.source", one);
    } else if (named) {
      String volume = source.path("persistentVolumeName").asString("");
      String path = "spec.source.persistentVolumeName";
      if (volume.isEmpty()) {
        problems.required(path, "must specify non empty persistentVolumeName");
      }
      problems.each(path, volume, NameValidation.dns1123Subdomain(volume));
    }
    String node = spec.path("nodeName").asString("");
    problems.each("spec.nodeName", node, NameValidation.dns1123Subdomain(node));
    if (old != null) {
      problems.immutable("spec", spec, old.path("spec"));
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
    return List.of(
        Cells.name(object),
        Cells.text(spec.path("attacher").asString("")),
        Cells.text(spec.path("source").path("persistentVolumeName").asString("")),
        Cells.text(spec.path("nodeName").asString("")),
        Cells.text(Boolean.toString(object.path("status").path("attached").asBoolean(false))),
        Cells.age(object, now));
  }
}
