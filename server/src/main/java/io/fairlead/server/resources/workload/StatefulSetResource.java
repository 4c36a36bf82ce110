package io.fairlead.server.resources.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.GoForm;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.config.ClaimValidation;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.StatusCounters;
import io.fairlead.server.resources.table.Cells;
import io.fairlead.server.resources.workload.WorkloadValidation.BadSelector;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Pods with names and an order.
public final class StatefulSetResource extends ReplicatedResource {
  private static final List<String> MUTABLE =
      List.of(
          "replicas",
          "ordinals",
          "template",
          "updateStrategy",
          "revisionHistoryLimit",
          "persistentVolumeClaimRetentionPolicy",
          "minReadySeconds");
  private static final String FROZEN =
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
          + " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and"
          + " 'minReadySeconds' are forbidden";
  private static final List<String> COUNTS =
      List.of(
          "replicas",
          "readyReplicas",
          "currentReplicas",
          "updatedReplicas",
          "availableReplicas",
          "observedGeneration");
  private static final List<String> BOUNDED =
      List.of("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas");
  private static final StatusCounters SHOWN = StatusCounters.of("replicas", "availableReplicas");
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Ready", "How many pods are ready, of how many there shall be."),
          Cells.AGE,
          WorkloadTable.CONTAINERS,
          WorkloadTable.IMAGES);

  public StatefulSetResource() {
    super("statefulsets", "StatefulSet", "sts", NameValidator.LABEL, COUNTS, BOUNDED);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    super.applyDefaults(object);
    ObjectNode spec = Json.child(object, "spec");
    Defaults.text(spec, "podManagementPolicy", "OrderedReady");
    ObjectNode strategy = Json.child(spec, "updateStrategy");
    if (strategy.path("type").asString("").isEmpty()) {
      strategy.put("type", "RollingUpdate");
      Json.child(strategy, "rollingUpdate");
    }
    if (strategy.path("type").asString("").equals("RollingUpdate")
        && strategy.get("rollingUpdate") instanceof ObjectNode rolling) {
      Defaults.missingNumber(rolling, "partition", 0);
    }
    Defaults.missingNumber(spec, "revisionHistoryLimit", 10);
    ObjectNode retention = Json.child(spec, "persistentVolumeClaimRetentionPolicy");
    Defaults.text(retention, "whenDeleted", "Retain");
    Defaults.text(retention, "whenScaled", "Retain");
    for (JsonNode claim : spec.path("volumeClaimTemplates")) {
      if (claim instanceof ObjectNode one) {
        applyToClaim(one);
      }
    }
    SHOWN.applyDefaults(object);
  }

  /// Nothing acts on `maxUnavailable`: upstream its feature gate is off.
  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    if (object.at("/spec/updateStrategy/rollingUpdate") instanceof ObjectNode rolling
        && (old == null || !old.at("/spec/updateStrategy/rollingUpdate").has("maxUnavailable"))) {
      rolling.remove("maxUnavailable");
    }
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
    String policy = spec.path("podManagementPolicy").asString("");
    if (!policy.equals("OrderedReady") && !policy.equals("Parallel")) {
      problems.invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'");
    }
    checkStrategy(spec.path("updateStrategy"), problems);
    for (String moment : List.of("whenDeleted", "whenScaled")) {
      problems.oneOf(
          "spec.persistentVolumeClaimRetentionPolicy." + moment,
          spec.path("persistentVolumeClaimRetentionPolicy").path(moment),
          List.of("Retain", "Delete"));
    }
    int index = 0;
    for (JsonNode claim : old == null ? spec.path("volumeClaimTemplates") : Json.array()) {
      ClaimValidation.checkSpec(
          claim.path("spec"), "spec.volumeClaimTemplates[" + index + "].spec", problems);
      index++;
    }
    problems.notNegative("spec.replicas", spec.path("replicas"));
    problems.notNegative("spec.minReadySeconds", spec.path("minReadySeconds"));
    problems.notNegative("spec.ordinals.start", spec.at("/ordinals/start"));
    String service = spec.path("serviceName").asString("");
    if (old == null && !service.isEmpty()) {
      problems.each("spec.serviceName", service, NameValidation.dns1123Label(service));
    }
    WorkloadValidation.checkSelectorAndTemplate(
        withClaims(object), "statefulset", "StatefulSet", BadSelector.HIDES_POD, problems);
    if (old != null && !frozen(object).equals(frozen(old))) {
      problems.forbidden("spec", FROZEN);
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
        Cells.text(
            object.at("/status/readyReplicas").asInt(0) + "/" + spec.path("replicas").asInt(0)),
        Cells.age(object, now),
        WorkloadTable.containers(spec.path("template"), "name"),
        WorkloadTable.containers(spec.path("template"), "image"));
  }

  private static void applyToClaim(ObjectNode claim) {
    Defaults.text(claim, "kind", "PersistentVolumeClaim");
    Defaults.text(claim, "apiVersion", "v1");
    Defaults.missingText(Json.child(claim, "spec"), "volumeMode", "Filesystem");
    Defaults.text(Json.child(claim, "status"), "phase", "Pending");
  }

  private static void checkStrategy(JsonNode strategy, Problems problems) {
    String path = "spec.updateStrategy";
    switch (strategy.path("type").asString("")) {
      case "OnDelete" -> {
        if (strategy.has("rollingUpdate")) {
          problems.invalid(
              path + ".rollingUpdate",
              GoForm.internal(
                  strategy.path("rollingUpdate"),
                  "io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy"),
              "only allowed for updateStrategy 'RollingUpdate'");
        }
      }
      case "RollingUpdate" ->
          problems.notNegative(
              path + ".rollingUpdate.partition", strategy.at("/rollingUpdate/partition"));
      default ->
          problems.invalid(
              path,
              GoForm.internal(strategy, "io.k8s.api.apps.v1.StatefulSetUpdateStrategy"),
              "must be 'RollingUpdate' or 'OnDelete'");
    }
  }

  /// The set as its pods see it: the claims are volumes of the template, before its own that have
  /// other names.
  private static ObjectNode withClaims(ObjectNode object) {
    JsonNode claims = object.at("/spec/volumeClaimTemplates");
    if (claims.isEmpty()) {
      return object;
    }
    ObjectNode copy = object.deepCopy();
    ObjectNode pod = Json.child(Json.child(Json.child(copy, "spec"), "template"), "spec");
    ArrayNode volumes = Json.array();
    Set<String> names = Problems.seen();
    for (JsonNode claim : claims) {
      String name = claim.at("/metadata/name").asString("");
      if (!names.add(name)) {
        continue;
      }
      ObjectNode volume = volumes.addObject().put("name", name);
      volume.putObject("persistentVolumeClaim").put("claimName", name);
    }
    for (JsonNode volume : pod.path("volumes")) {
      if (!names.contains(volume.path("name").asString(""))) {
        volumes.add(volume);
      }
    }
    pod.set("volumes", volumes);
    return copy;
  }

  @Override
  public List<String> warnings(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    List<String> warnings = new ArrayList<>(super.warnings(object, old, context));
    if (object.at("/spec/revisionHistoryLimit").asLong(0) < 0) {
      warnings.add(
          "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value"
              + " >= 0 is recommended");
    }
    return warnings;
  }

  /// The part of the spec that may not change.
  private static JsonNode frozen(ObjectNode object) {
    JsonNode spec = object.path("spec").deepCopy();
    if (spec instanceof ObjectNode copy) {
      copy.remove(MUTABLE);
      for (JsonNode claim : copy.path("volumeClaimTemplates")) {
        if (claim instanceof ObjectNode one) {
          one.remove(List.of("kind", "apiVersion"));
        }
      }
    }
    return spec;
  }
}
