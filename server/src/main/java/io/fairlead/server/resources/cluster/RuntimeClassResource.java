package io.fairlead.server.resources.cluster;

import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.GoForm;
import io.fairlead.api.schema.Quantity;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.ResourceNameRules;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.pod.TolerationValidation;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A way of running containers that a node offers.
public final class RuntimeClassResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME, Column.text("Handler", "What the container runtime calls it."), Cells.AGE);

  public RuntimeClassResource() {
    super(
        ResourceDescriptorBuilder.cluster("node.k8s.io", "runtimeclasses", "RuntimeClass").build(),
        NameValidator.SUBDOMAIN,
        Trait.NEEDS_RESOURCE_VERSION);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    String handler = object.path("handler").asString("");
    if (handler.isEmpty()) {
      problems.required("handler");
    } else {
      problems.each("handler", handler, NameValidation.dns1123Label(handler));
    }
    for (Map.Entry<String, JsonNode> amount :
        object.path("overhead").path("podFixed").properties()) {
      String path = "overhead.limits[" + amount.getKey() + "]";
      ResourceNameRules.checkContainer(amount.getKey(), path, problems);
      Quantity given = Quantity.parseOrNull(amount.getValue().asString(""));
      if (given != null && given.signum() < 0) {
        problems.invalid(path, amount.getValue(), Problems.NOT_NEGATIVE);
      }
    }
    JsonNode scheduling = object.path("scheduling");
    problems.addAll(
        MetadataRules.labels(scheduling.path("nodeSelector"), "scheduling.nodeSelector"));
    TolerationValidation.check(scheduling.path("tolerations"), "scheduling.tolerations", problems);
    checkRepeated(scheduling.path("tolerations"), problems);
    if (old != null) {
      problems.immutable("handler", object.path("handler"), old.path("handler"));
    }
    return problems.list();
  }

  private static void checkRepeated(JsonNode tolerations, Problems problems) {
    Set<JsonNode> seen = new HashSet<>();
    int index = 0;
    for (JsonNode toleration : tolerations) {
      if (!seen.add(toleration)) {
        problems.duplicate(
            "scheduling.tolerations[" + index + "]",
            GoForm.internal(toleration, "io.k8s.api.core.v1.Toleration"));
      }
      index++;
    }
  }

  @Override
  public boolean takesAnyFinalizer() {
    return true;
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return List.of(
        Cells.name(object),
        Cells.text(object.path("handler").asString("")),
        Cells.age(object, now));
  }
}
