package io.fairlead.server.resources.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.pod.PodSpecDefaults;
import io.fairlead.server.resources.pod.PodSpecValidation;
import io.fairlead.server.resources.table.Cells;
import io.fairlead.server.resources.table.SelectorText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A pod as it could be made.
public final class PodTemplateResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Containers", "The names of the containers in a pod."),
          Column.text("Images", "Their images."),
          Column.text("Pod Labels", "The labels of a pod."));

  public PodTemplateResource() {
    super(
        ResourceDescriptorBuilder.namespaced("", "podtemplates", "PodTemplate").build(),
        NameValidator.SUBDOMAIN,
        Trait.GENERATIONS,
        Trait.CREATES_ON_UPDATE,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    PodSpecDefaults.applyToTemplate(Json.child(object, "template"));
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    PodSpecValidation.checkTemplate(object.path("template"), "template", problems);
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode template = object.path("template");
    return List.of(
        Cells.name(object),
        WorkloadTable.containers(template, "name"),
        WorkloadTable.containers(template, "image"),
        Cells.orNone(SelectorText.ofLabels(template.path("metadata").path("labels"))));
  }
}
