package io.fairlead.server.resources.batch;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StatusCounters;
import io.fairlead.server.resources.kind.StoredResource;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The same autoscalers in their older shape, which knows only the use of processors. What the
/// newer shape says beyond that travels in annotations, so that nothing is lost on the way.
public final class AutoscalerV1Resource extends StoredResource {
  private static final String PREFIX = "autoscaling.alpha.kubernetes.io/";
  private static final String METRICS = PREFIX + "metrics";
  private static final String BEHAVIOR = PREFIX + "behavior";
  private static final String STORED_VERSION = "autoscaling/v2";
  private static final String UTILIZATION = "targetCPUUtilizationPercentage";
  private static final StatusCounters SHOWN =
      StatusCounters.of("currentReplicas", "desiredReplicas");

  public AutoscalerV1Resource() {
    super(
        ResourceDescriptorBuilder.namespaced(
                "autoscaling", "horizontalpodautoscalers", "HorizontalPodAutoscaler")
            .shortNames("hpa")
            .categories("all")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.METADATA_AS_UPDATE);
  }

  @Override
  public ObjectNode toStored(ObjectNode object) {
    ObjectNode stored = object.deepCopy();
    stored.put("apiVersion", STORED_VERSION);
    ObjectNode spec = Json.child(stored, "spec");
    ArrayNode metrics = Json.array();
    JsonNode share = spec.path(UTILIZATION);
    if (share.isNumber()) {
      AutoscalerV2Resource.addUtilization(metrics, share.asInt(0));
    }
    spec.remove(UTILIZATION);
    take(stored, METRICS).forEach(metrics::add);
    if (!metrics.isEmpty()) {
      spec.set("metrics", metrics);
    }
    JsonNode behavior = take(stored, BEHAVIOR);
    if (behavior.isObject()) {
      spec.set("behavior", behavior);
    }
    if (stored.get("status") instanceof ObjectNode status) {
      status.remove("currentCPUUtilizationPercentage");
    }
    return stored;
  }

  @Override
  public ObjectNode fromStored(ObjectNode stored) {
    ObjectNode shown = stored.deepCopy();
    shown.put("apiVersion", descriptor().apiVersion());
    ObjectNode spec = Json.child(shown, "spec");
    ArrayNode others = Json.array();
    for (JsonNode metric : spec.path("metrics")) {
      JsonNode share = metric.at("/resource/target/averageUtilization");
      boolean processor = metric.at("/resource/name").asString("").equals("cpu");
      if (processor && share.isNumber() && !spec.has(UTILIZATION)) {
        spec.put(UTILIZATION, share.asInt(0));
      } else {
        others.add(metric);
      }
    }
    spec.remove("metrics");
    put(shown, METRICS, others);
    put(shown, BEHAVIOR, spec.path("behavior"));
    spec.remove("behavior");
    if (shown.get("status") instanceof ObjectNode status) {
      status.remove(List.of("conditions", "currentMetrics"));
    }
    return shown;
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    Defaults.missingNumber(spec, "minReplicas", 1);
    if (toStored(object).at("/spec/metrics").isEmpty()) {
      spec.put(UTILIZATION, AutoscalerV2Resource.DEFAULT_UTILIZATION);
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
    new AutoscalerValidation(problems).check(toStored(object).path("spec"));
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return AutoscalerTable.COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return AutoscalerTable.cells(
        object.at("/spec/metrics").isEmpty() ? toStored(object) : object, now);
  }

  /// Moves what an annotation holds out of the object.
  private static JsonNode take(ObjectNode object, String annotation) {
    if (object.at("/metadata/annotations") instanceof ObjectNode annotations) {
      String text = annotations.path(annotation).asString("");
      annotations.remove(annotation);
      try {
        return text.isEmpty()
            ? Json.array()
            : Json.parse(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      } catch (JacksonException notOurs) {
        return Json.array();
      }
    }
    return Json.array();
  }

  private static void put(ObjectNode object, String annotation, JsonNode value) {
    if (!value.isEmpty()) {
      Json.child(Json.child(object, "metadata"), "annotations")
          .put(annotation, new String(Json.bytes(value), java.nio.charset.StandardCharsets.UTF_8));
    }
  }
}
