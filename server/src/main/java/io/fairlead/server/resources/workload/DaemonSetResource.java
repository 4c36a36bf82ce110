package io.fairlead.server.resources.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.GoForm;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StatusCounters;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.pod.PodSpecDefaults;
import io.fairlead.server.resources.pod.PodWarnings;
import io.fairlead.server.resources.table.Cells;
import io.fairlead.server.resources.table.SelectorText;
import io.fairlead.server.resources.workload.WorkloadValidation.BadSelector;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One pod on every node.
public final class DaemonSetResource extends StoredResource {
  private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";
  private static final StatusCounters SHOWN =
      StatusCounters.of(
          "currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady");
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.number("Desired", "How many nodes shall run its pod."),
          Column.number("Current", "How many nodes do."),
          Column.number("Ready", "On how many nodes the pod is ready."),
          Column.number("Up-to-date", "On how many nodes the pod has the newest template."),
          Column.number("Available", "On how many nodes it has been ready for long enough."),
          Column.text("Node Selector", "Which nodes are meant."),
          Cells.AGE,
          WorkloadTable.CONTAINERS,
          WorkloadTable.IMAGES,
          WorkloadTable.SELECTOR);

  public DaemonSetResource() {
    super(
        ResourceDescriptorBuilder.namespaced("apps", "daemonsets", "DaemonSet")
            .shortNames("ds")
            .categories("all")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS,
        Trait.METADATA_AS_UPDATE);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    PodSpecDefaults.applyToTemplate(Json.child(spec, "template"));
    ObjectNode strategy = Json.child(spec, "updateStrategy");
    Defaults.text(strategy, "type", "RollingUpdate");
    if (strategy.path("type").asString("").equals("RollingUpdate")) {
      ObjectNode rolling = Json.child(strategy, "rollingUpdate");
      Defaults.missingNumber(rolling, "maxUnavailable", 1);
      Defaults.missingNumber(rolling, "maxSurge", 0);
    }
    Defaults.missingNumber(spec, "revisionHistoryLimit", 10);
    Defaults.missingText(
        Json.child(Json.child(object, "metadata"), "annotations"), TEMPLATE_GENERATION, "1");
    SHOWN.applyDefaults(object);
  }

  /// Old programs count changes of the template by an annotation.
  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    long generation = 1;
    if (old != null) {
      String known =
          old.path("metadata").path("annotations").path(TEMPLATE_GENERATION).asString("");
      generation = known.matches("[0-9]{1,18}") ? Long.parseLong(known) : 1;
      if (!object.at("/spec/template").equals(old.at("/spec/template"))) {
        generation++;
      }
    }
    Json.child(Json.child(object, "metadata"), "annotations")
        .put(TEMPLATE_GENERATION, Long.toString(generation));
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
    if (old != null) {
      problems.immutable("spec.selector", spec.path("selector"), old.at("/spec/selector"));
    }
    WorkloadValidation.checkSelectorAndTemplate(
        object, "daemonset", "DaemonSet", BadSelector.IS_IGNORED, problems);
    problems.notNegative("spec.minReadySeconds", spec.path("minReadySeconds"));
    checkStrategy(spec.path("updateStrategy"), problems);
    problems.notNegative("spec.revisionHistoryLimit", spec.path("revisionHistoryLimit"));
    return problems.list();
  }

  @Override
  public List<String> warnings(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    return PodWarnings.ofTemplate(object, old, "spec.template");
  }

  @Override
  protected List<FieldError> validateStatus(
      ObjectNode object, ObjectNode old, RequestContext context) {
    return SHOWN.validate(object);
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    JsonNode status = object.path("status");
    JsonNode template = spec.path("template");
    return List.of(
        Cells.name(object),
        Cells.number(status.path("desiredNumberScheduled")),
        Cells.number(status.path("currentNumberScheduled")),
        Cells.number(status.path("numberReady")),
        Cells.number(status.path("updatedNumberScheduled")),
        Cells.number(status.path("numberAvailable")),
        Cells.orNone(SelectorText.ofLabels(template.at("/spec/nodeSelector"))),
        Cells.age(object, now),
        WorkloadTable.containers(template, "name"),
        WorkloadTable.containers(template, "image"),
        WorkloadTable.selector(spec.path("selector")));
  }

  private static void checkStrategy(JsonNode strategy, Problems problems) {
    String path = "spec.updateStrategy";
    String type = strategy.path("type").asString("");
    if (!type.equals("RollingUpdate")) {
      if (!type.equals("OnDelete")) {
        problems.add(
            FieldError.notSupported(
                path,
                GoForm.internal(strategy, "io.k8s.api.apps.v1.DaemonSetUpdateStrategy"),
                List.of("RollingUpdate", "OnDelete")));
      }
      return;
    }
    JsonNode unavailable = strategy.at("/rollingUpdate/maxUnavailable");
    JsonNode surge = strategy.at("/rollingUpdate/maxSurge");
    String rolling = path + ".rollingUpdate";
    WorkloadValidation.checkIntOrPercent(rolling + ".maxUnavailable", unavailable, problems);
    WorkloadValidation.checkIntOrPercent(rolling + ".maxSurge", surge, problems);
    boolean takesAway = !WorkloadValidation.isZero(unavailable);
    boolean adds = !WorkloadValidation.isZero(surge);
    if (takesAway && adds) {
      problems.invalid(
          rolling + ".maxSurge", surge, "may not be set when maxUnavailable is non-zero");
    } else if (!takesAway && !adds) {
      problems.required(rolling + ".maxUnavailable", "cannot be 0 when maxSurge is 0");
    }
    WorkloadValidation.checkAtMostWhole(rolling + ".maxUnavailable", unavailable, problems);
    WorkloadValidation.checkAtMostWhole(rolling + ".maxSurge", surge, problems);
  }
}
