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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// How many replicas there shall be, by measurement.
public final class AutoscalerV2Resource extends StoredResource {
  private static final StatusCounters SHOWN = StatusCounters.of("desiredReplicas");
  static final int DEFAULT_UTILIZATION = 80;

  public AutoscalerV2Resource() {
    super(
        ResourceDescriptorBuilder.namespaced(
                "autoscaling", "horizontalpodautoscalers", "HorizontalPodAutoscaler")
            .version("v2")
            .shortNames("hpa")
            .categories("all")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.METADATA_AS_UPDATE);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    Defaults.missingNumber(spec, "minReplicas", 1);
    if (spec.path("metrics").isEmpty()) {
      addUtilization(spec.putArray("metrics"), DEFAULT_UTILIZATION);
    }
    AutoscalerBehavior.applyDefaults(spec);
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
    new AutoscalerValidation(problems).check(object.path("spec"));
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return AutoscalerTable.COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return AutoscalerTable.cells(object, now);
  }

  /// Adds the use of processors to the metrics.
  static void addUtilization(ArrayNode metrics, int percent) {
    ObjectNode metric = metrics.addObject();
    metric.put("type", "Resource");
    ObjectNode resource = metric.putObject("resource");
    resource.put("name", "cpu");
    resource.putObject("target").put("type", "Utilization").put("averageUtilization", percent);
  }
}
