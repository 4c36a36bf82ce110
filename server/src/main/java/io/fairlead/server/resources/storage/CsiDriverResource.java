package io.fairlead.server.resources.storage;

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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a storage driver can do and wants to be told.
public final class CsiDriverResource extends StoredResource {
  private static final List<String> POLICIES = List.of("File", "None", "ReadWriteOnceWithFSType");
  private static final int LEAST_PERIOD = 10;
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("AttachRequired", "Whether its volumes must be attached to a node first."),
          Column.text("PodInfoOnMount", "Whether it wants to know the pod."),
          Column.text("StorageCapacity", "Whether it says how much is left."),
          Column.text("TokenRequests", "For whom it wants tokens of the pod."),
          Column.text("RequiresRepublish", "Whether it is called again and again."),
          Column.text("Modes", "How long its volumes live."),
          Cells.AGE);

  public CsiDriverResource() {
    super(
        ResourceDescriptorBuilder.cluster("storage.k8s.io", "csidrivers", "CSIDriver").build(),
        NameValidator.SUBDOMAIN,
        Trait.GENERATIONS,
        Trait.NEEDS_RESOURCE_VERSION,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    Defaults.missingFlag(spec, "attachRequired", true);
    Defaults.missingFlag(spec, "podInfoOnMount", false);
    Defaults.missingFlag(spec, "storageCapacity", false);
    Defaults.missingText(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
    Defaults.missingFlag(spec, "requiresRepublish", false);
    Defaults.missingFlag(spec, "seLinuxMount", false);
    if (spec.path("volumeLifecycleModes").isEmpty()) {
      spec.putArray("volumeLifecycleModes").add("Persistent");
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode spec = object.path("spec");
    problems.oneOf("spec.fsGroupPolicy", spec.path("fsGroupPolicy"), POLICIES);
    Set<String> audiences = new HashSet<>();
    int index = 0;
    for (JsonNode token : spec.path("tokenRequests")) {
      String path = "spec.tokenRequests[" + index++ + "]";
      problems.unique(path + ".audience", token.path("audience").asString(""), audiences);
      JsonNode seconds = token.path("expirationSeconds");
      if (seconds.isNumber() && seconds.asLong(0) < 600) {
        problems.invalid(
            path + ".expirationSeconds",
            seconds,
            "may not specify a duration less than 10 minutes");
      }
      if (seconds.asLong(0) > 1L << 32) {
        problems.invalid(
            path + ".expirationSeconds",
            seconds,
            "may not specify a duration larger than 2^32 seconds");
      }
    }
    for (JsonNode mode : spec.path("volumeLifecycleModes")) {
      problems.oneOf("spec.volumeLifecycleModes", mode, List.of("Persistent", "Ephemeral"));
    }
    JsonNode period = spec.path("nodeAllocatableUpdatePeriodSeconds");
    if (period.isNumber() && period.asLong(0) < LEAST_PERIOD) {
      problems.invalid(
          "spec.nodeAllocatableUpdatePeriodSeconds",
          period,
          "must be greater than or equal to " + LEAST_PERIOD + " seconds");
    }
    JsonNode inSecrets = spec.path("serviceAccountTokenInSecrets");
    if (inSecrets.isBoolean() && spec.path("tokenRequests").isEmpty()) {
      problems.invalid(
          "spec.serviceAccountTokenInSecrets",
          inSecrets,
          "serviceAccountTokenInSecrets is set but no tokenRequests are specified");
    }
    if (old != null) {
      for (String fixed : List.of("attachRequired", "volumeLifecycleModes")) {
        problems.immutable("spec." + fixed, spec.path(fixed), old.path("spec").path(fixed));
      }
    }
    return problems.list();
  }

  @Override
  public List<String> warnings(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    JsonNode spec = object.path("spec");
    return spec.path("tokenRequests").isEmpty() || spec.has("serviceAccountTokenInSecrets")
        ? List.of()
        : List.of(
            "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to"
                + " true to prevent possible logging of tokens in volume attributes");
  }

  /// Changes are counted from the first one on.
  @Override
  public boolean countsCreation() {
    return false;
  }

  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    if (object.get("spec") instanceof ObjectNode spec) {
      spec.remove("preventPodSchedulingIfMissing");
    }
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    List<String> audiences = new ArrayList<>();
    spec.path("tokenRequests").forEach(one -> audiences.add(one.path("audience").asString("")));
    return List.of(
        Cells.name(object),
        Cells.text(Boolean.toString(spec.path("attachRequired").asBoolean(true))),
        Cells.text(Boolean.toString(spec.path("podInfoOnMount").asBoolean(false))),
        Cells.text(Boolean.toString(spec.path("storageCapacity").asBoolean(false))),
        Cells.text(audiences.isEmpty() ? "<unset>" : String.join(",", audiences)),
        Cells.text(Boolean.toString(spec.path("requiresRepublish").asBoolean(false))),
        Cells.text(String.join(",", Cells.strings(spec.path("volumeLifecycleModes")))),
        Cells.age(object, now));
  }
}
