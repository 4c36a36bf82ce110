package io.fairlead.server.resources.cluster;

import io.fairlead.api.status.ApiException;
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
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// How important the pods that name it are.
public final class PriorityClassResource extends StoredResource {
  private static final long HIGHEST_OF_USERS = 1_000_000_000;

  /// Those every cluster has.
  public static final Map<String, Integer> SYSTEM =
      Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.number("Value", "The higher, the more important."),
          Column.text("Global-Default", "Whether pods that name no class get it."),
          Cells.AGE,
          Column.text("PreemptionPolicy", "Whether its pods may drive others off."));

  public PriorityClassResource() {
    super(
        ResourceDescriptorBuilder.cluster("scheduling.k8s.io", "priorityclasses", "PriorityClass")
            .shortNames("pc")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.GENERATIONS);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    Defaults.missingNumber(object, "value", 0);
    Defaults.missingText(object, "preemptionPolicy", "PreemptLowerPriority");
  }

  /// Only one may be that of all pods that name none.
  @Override
  public void admit(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    if (!object.path("globalDefault").asBoolean(false)) {
      return;
    }
    String name = object.path("metadata").path("name").asString("");
    for (ObjectNode other : context.reader().list("scheduling.k8s.io", "priorityclasses", "")) {
      String there = other.path("metadata").path("name").asString("");
      if (other.path("globalDefault").asBoolean(false) && !there.equals(name)) {
        throw ApiException.forbidden(
            "scheduling.k8s.io",
            "priorityclasses",
            name,
            "PriorityClass " + there + " is already marked as default. Only one default can exist");
      }
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    String name = object.path("metadata").path("name").asString("");
    JsonNode value = object.path("value");
    Integer system = SYSTEM.get(name);
    if (name.startsWith("system-") && system == null) {
      problems.forbidden(
          "metadata.name",
          "priority class names with 'system-' prefix are reserved for system use only. error: "
              + name
              + " is not a known system priority class");
    } else if (system != null && system != value.asLong(0)) {
      problems.forbidden(
          "metadata.name",
          "priority class names with 'system-' prefix are reserved for system use only. error:"
              + " value of "
              + name
              + " PriorityClass must be "
              + system);
    }
    if (system == null && value.asLong(0) > HIGHEST_OF_USERS) {
      problems.forbidden(
          "value", "maximum allowed value of a user defined priority is " + HIGHEST_OF_USERS);
    }
    problems.requiredOneOf(
        "preemptionPolicy",
        object.path("preemptionPolicy"),
        List.of("PreemptLowerPriority", "Never"));
    if (old != null) {
      if (value.asLong(0) != old.path("value").asLong(0)) {
        problems.forbidden("value", "may not be changed in an update.");
      }
      problems.immutable(
          "preemptionPolicy", object.path("preemptionPolicy"), old.path("preemptionPolicy"));
    }
    return problems.list();
  }

  @Override
  public void checkDelete(ObjectNode object, RequestContext context) {
    String name = object.path("metadata").path("name").asString("");
    if (SYSTEM.containsKey(name)) {
      throw ApiException.forbidden(
          "scheduling.k8s.io",
          "priorityclasses",
          name,
          "this is a system priority class and cannot be deleted");
    }
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return List.of(
        Cells.name(object),
        Cells.number(object.path("value")),
        Cells.text(Boolean.toString(object.path("globalDefault").asBoolean(false))),
        Cells.age(object, now),
        Cells.text(object.path("preemptionPolicy").asString("PreemptLowerPriority")));
  }
}
