package io.fairlead.server.resources.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.GoForm;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.ScaleView;
import io.fairlead.server.resources.kind.StatusCounters;
import io.fairlead.server.resources.kind.StatusView;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.pod.PodSpecDefaults;
import io.fairlead.server.resources.pod.PodSpecValidation;
import io.fairlead.server.resources.pod.PodWarnings;
import io.fairlead.server.resources.table.Cells;
import io.fairlead.server.resources.table.SelectorText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A number of equal pods, in the form before ReplicaSets: its selector is a set of labels.
public final class ReplicationControllerResource extends StoredResource {
  private static final StatusCounters SHOWN = StatusCounters.of("replicas");

  public ReplicationControllerResource() {
    super(
        ResourceDescriptorBuilder.namespaced("", "replicationcontrollers", "ReplicationController")
            .shortNames("rc")
            .categories("all")
            .storedUnder("/registry/controllers")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS,
        Trait.METADATA_AS_UPDATE);
  }

  @Override
  public List<Subresource> subresources() {
    return List.of(ScaleView.ofLabels(), StatusView.of(this));
  }

  /// Labels and selector are those of the template where they are left out.
  @Override
  public void applyDefaults(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    Defaults.missingNumber(spec, "replicas", 1);
    if (spec.get("template") instanceof ObjectNode template) {
      JsonNode labels = template.path("metadata").path("labels");
      ObjectNode metadata = Json.child(object, "metadata");
      if (!labels.isEmpty() && spec.path("selector").isEmpty()) {
        spec.set("selector", labels.deepCopy());
      }
      if (!labels.isEmpty() && metadata.path("labels").isEmpty()) {
        metadata.set("labels", labels.deepCopy());
      }
      PodSpecDefaults.applyToTemplate(template);
    }
    SHOWN.applyDefaults(object);
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    SHOWN.begin(object);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode spec = object.path("spec");
    problems.notNegative("spec.minReadySeconds", spec.path("minReadySeconds"));
    if (spec.path("selector").isEmpty()) {
      problems.required("spec.selector");
    }
    problems.notNegative("spec.replicas", spec.path("replicas"));
    JsonNode template = spec.path("template");
    if (!template.isObject()) {
      problems.required("spec.template");
      return problems.list();
    }
    JsonNode labels = template.path("metadata").path("labels");
    for (Map.Entry<String, JsonNode> label : spec.path("selector").properties()) {
      if (!label.getValue().equals(labels.path(label.getKey()))) {
        problems.invalid(
            "spec.template.metadata.labels",
            labels.isObject() ? GoForm.sorted(labels) : JsonNodeFactory.instance.nullNode(),
            "`selector` does not match template `labels`");
        break;
      }
    }
    PodSpecValidation.checkTemplate(template, "spec.template", problems);
    problems.oneOf(
        "spec.template.spec.restartPolicy",
        template.path("spec").path("restartPolicy"),
        List.of("Always"));
    if (template.path("spec").has("activeDeadlineSeconds")) {
      problems.forbidden(
          "spec.template.spec.activeDeadlineSeconds",
          "activeDeadlineSeconds in ReplicationController is not Supported");
    }
    return problems.list();
  }

  @Override
  protected List<FieldError> validateStatus(
      ObjectNode object, ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    WorkloadValidation.checkCounts(
        object.path("status"), ReplicaTable.COUNTS, ReplicaTable.BOUNDED, problems);
    return problems.list();
  }

  @Override
  public List<String> warnings(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    return PodWarnings.ofTemplate(object, old, "spec.template");
  }

  @Override
  public Map<String, String> selectableFields(ObjectNode object) {
    return Map.of(
        "status.replicas", Long.toString(object.path("status").path("replicas").asLong(0)));
  }

  @Override
  public List<Column> columns() {
    return ReplicaTable.COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return ReplicaTable.cells(
        object, now, Cells.orNone(SelectorText.ofLabels(object.path("spec").path("selector"))));
  }
}
