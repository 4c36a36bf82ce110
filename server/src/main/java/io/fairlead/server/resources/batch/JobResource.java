package io.fairlead.server.resources.batch;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.GoForm;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.pod.PodWarnings;
import io.fairlead.server.resources.table.Age;
import io.fairlead.server.resources.table.Cells;
import io.fairlead.server.resources.workload.WorkloadTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Pods that run until they are done.
public final class JobResource extends StoredResource {
  private static final String UID_LABEL = "batch.kubernetes.io/controller-uid";
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Status", "Whether it runs, is done or has failed."),
          Column.text("Completions", "How many pods are done, of how many."),
          Column.text("Duration", "How long it took, or has taken so far."),
          Cells.AGE,
          WorkloadTable.CONTAINERS,
          WorkloadTable.IMAGES,
          WorkloadTable.SELECTOR);

  public JobResource() {
    super(
        ResourceDescriptorBuilder.namespaced("batch", "jobs", "Job").categories("all").build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    JobSpec.applyDefaults(Json.child(object, "spec"));
  }

  /// A Job knows its pods by its own uid, unless its author chose a selector.
  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    ObjectNode spec = Json.child(object, "spec");
    // A Job without labels has those of its pods, in the original even the same map.
    JsonNode own = object.at("/spec/template/metadata/labels");
    boolean unlabelled = object.at("/metadata/labels").isEmpty();
    if (unlabelled && !own.isEmpty()) {
      Json.child(object, "metadata").set("labels", own.deepCopy());
    }
    if (old != null || spec.path("manualSelector").asBoolean(false)) {
      return;
    }
    String uid = object.at("/metadata/uid").asString("");
    String name = object.at("/metadata/name").asString("");
    Json.child(Json.child(spec, "selector"), "matchLabels").put(UID_LABEL, uid);
    ObjectNode template = Json.child(Json.child(spec, "template"), "metadata");
    ObjectNode labels = Json.child(template, "labels");
    labels.put(UID_LABEL, uid).put("controller-uid", uid);
    labels.put("batch.kubernetes.io/job-name", name).put("job-name", name);
    if (unlabelled) {
      Json.child(object, "metadata").set("labels", labels.deepCopy());
    }
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    object.putObject("status");
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode spec = object.path("spec");
    if (old == null) {
      checkGeneratedSelector(object, problems);
    }
    JobSpec.checkSelector(spec, problems);
    checkLabels(spec, problems);
    JobSpec.check(spec, "spec", problems);
    if (old == null) {
      checkPodNames(object, problems);
    }
    if (old != null) {
      checkCompletions(spec, old.path("spec"), problems);
      problems.immutable("spec.selector", spec.path("selector"), old.at("/spec/selector"));
      problems.immutable(
          "spec.completionMode", spec.path("completionMode"), old.at("/spec/completionMode"));
      if (!old.at("/spec/suspend").asBoolean(false)) {
        problems.immutable("spec.template", spec.path("template"), old.at("/spec/template"));
      }
      checkPolicies(spec, old.path("spec"), problems);
    }
    return problems.list();
  }

  @Override
  public List<String> warnings(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    return PodWarnings.ofTemplate(object, old, "spec.template");
  }

  /// Only an indexed Job may change how often it runs, together with how many run at once.
  private static void checkCompletions(JsonNode spec, JsonNode old, Problems problems) {
    JsonNode now = spec.path("completions");
    if (now.equals(old.path("completions"))) {
      return;
    }
    if (!spec.path("completionMode").asString("").equals("Indexed")
        || !now.isNumber()
        || !old.path("completions").isNumber()) {
      problems.immutable("spec.completions", now, old.path("completions"));
    } else if (spec.path("parallelism").asLong(0) != now.asLong(0)) {
      problems.invalid(
          "spec.completions", now, "can only be modified in tandem with spec.parallelism");
    }
  }

  private static void checkPolicies(JsonNode spec, JsonNode old, Problems problems) {
    for (String field : List.of("podFailurePolicy", "successPolicy")) {
      if (!spec.path(field).equals(old.path(field))) {
        String struct = field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1);
        problems.invalid(
            "spec." + field,
            spec.path(field).isObject()
                ? GoForm.internal(spec.path(field), "io.k8s.api.batch.v1." + struct)
                : JsonNodeFactory.instance.nullNode(),
            Problems.IMMUTABLE);
      }
    }
    problems.immutable(
        "spec.backoffLimitPerIndex",
        spec.path("backoffLimitPerIndex"),
        old.path("backoffLimitPerIndex"));
    problems.immutable("spec.managedBy", spec.path("managedBy"), old.path("managedBy"));
  }

  /// Unless its author manages the selector, it is the one that the server made.
  private static void checkGeneratedSelector(ObjectNode object, Problems problems) {
    JsonNode spec = object.path("spec");
    JsonNode selector = spec.path("selector");
    if (spec.path("manualSelector").asBoolean(false)) {
      return;
    }
    boolean own =
        selector.path("matchLabels").size() == 1
            && selector.path("matchLabels").has(UID_LABEL)
            && !selector.has("matchExpressions");
    if (!own) {
      problems.invalid(
          "spec.selector",
          GoForm.external(selector, "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector"),
          "`selector` not auto-generated");
    }
  }

  private static void checkLabels(JsonNode spec, Problems problems) {
    JsonNode labels = spec.at("/template/metadata/labels");
    Map<String, String> map = new TreeMap<>();
    labels.properties().forEach(label -> map.put(label.getKey(), label.getValue().asString("")));
    boolean matches =
        spec.path("selector") instanceof ObjectNode selector
            && (!MetadataRules.labelSelector(selector, "").isEmpty()
                || LabelSelector.of(selector).matches(map));
    if (!matches) {
      problems.invalid(
          "spec.template.metadata.labels",
          labels.isObject() ? GoForm.sorted(labels) : JsonNodeFactory.instance.nullNode(),
          "`selector` does not match template `labels`");
    }
  }

  /// The pods of an indexed Job have its name and their index as host names.
  private static void checkPodNames(ObjectNode object, Problems problems) {
    JsonNode spec = object.path("spec");
    long completions = spec.path("completions").asLong(0);
    if (!spec.path("completionMode").asString("").equals("Indexed") || completions <= 0) {
      return;
    }
    String name = object.at("/metadata/name").asString("");
    String longest = name + "-" + (completions - 1);
    if (!NameValidation.dns1123Label(longest).isEmpty()) {
      problems.invalid(
          "metadata.name", name, "will not able to create pod with invalid DNS label: " + longest);
    }
  }

  @Override
  public Map<String, String> selectableFields(ObjectNode object) {
    return Map.of("status.successful", Long.toString(object.at("/status/succeeded").asLong(0)));
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    JsonNode status = object.path("status");
    return List.of(
        Cells.name(object),
        Cells.text(state(object)),
        Cells.text(completions(spec, status)),
        Cells.text(duration(status, now)),
        Cells.age(object, now),
        WorkloadTable.containers(spec.path("template"), "name"),
        WorkloadTable.containers(spec.path("template"), "image"),
        WorkloadTable.selector(spec.path("selector")));
  }

  private static String state(ObjectNode job) {
    if (holds(job, "Complete")) {
      return "Complete";
    }
    if (holds(job, "Failed")) {
      return "Failed";
    }
    if (job.path("metadata").has("deletionTimestamp")) {
      return "Terminating";
    }
    if (holds(job, "Suspended")) {
      return "Suspended";
    }
    if (holds(job, "FailureTarget")) {
      return "FailureTarget";
    }
    return holds(job, "SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
  }

  private static boolean holds(ObjectNode job, String type) {
    for (JsonNode condition : job.at("/status/conditions")) {
      if (condition.path("type").asString("").equals(type)) {
        return condition.path("status").asString("").equals("True");
      }
    }
    return false;
  }

  private static String completions(JsonNode spec, JsonNode status) {
    long done = status.path("succeeded").asLong(0);
    if (spec.has("completions")) {
      return done + "/" + spec.path("completions").asLong(0);
    }
    long parallelism = spec.path("parallelism").asLong(0);
    return parallelism > 1 ? done + "/1 of " + parallelism : done + "/1";
  }

  private static String duration(JsonNode status, Instant now) {
    Instant start = Age.instant(status.path("startTime"));
    if (start == null) {
      return "";
    }
    Instant end = Age.instant(status.path("completionTime"));
    return Age.text(Duration.between(start, end == null ? now : end));
  }
}
