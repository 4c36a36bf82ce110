package io.fairlead.server.resources.storage;

import io.fairlead.api.names.NameValidation;
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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A kind of storage that claims may ask for.
public final class StorageClassResource extends StoredResource {
  public static final String DEFAULT = "storageclass.kubernetes.io/is-default-class";
  private static final int MAX_PARAMETERS = 512;
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Provisioner", "The driver that makes its volumes."),
          Column.text("ReclaimPolicy", "What becomes of a volume whose claim is gone."),
          Column.text("VolumeBindingMode", "When a claim gets its volume."),
          Column.text("AllowVolumeExpansion", "Whether a claim may grow."),
          Cells.AGE);

  public StorageClassResource() {
    super(
        ResourceDescriptorBuilder.cluster("storage.k8s.io", "storageclasses", "StorageClass")
            .shortNames("sc")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    Defaults.missingText(object, "reclaimPolicy", "Delete");
    Defaults.missingText(object, "volumeBindingMode", "Immediate");
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    String provisioner = object.path("provisioner").asString("");
    if (provisioner.isEmpty()) {
      problems.required("provisioner");
    } else {
      String name = provisioner.toLowerCase(Locale.ROOT);
      problems.each("provisioner", name, NameValidation.qualifiedName(name));
    }
    if (object.path("parameters").size() > MAX_PARAMETERS) {
      problems.add(FieldError.tooLong("parameters", MAX_PARAMETERS));
    }
    for (String key : object.path("parameters").propertyNames()) {
      if (key.isEmpty()) {
        problems.invalid("parameters", key, "field can not be empty.");
      }
    }
    if (!object.path("reclaimPolicy").asString("").isEmpty()) {
      problems.oneOf("reclaimPolicy", object.path("reclaimPolicy"), List.of("Delete", "Retain"));
    }
    problems.oneOf(
        "volumeBindingMode",
        object.path("volumeBindingMode"),
        List.of("Immediate", "WaitForFirstConsumer"));
    checkTopologies(object.path("allowedTopologies"), problems);
    if (old != null) {
      for (String fixed :
          List.of("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode")) {
        if (!object.path(fixed).equals(old.path(fixed))) {
          problems.forbidden(fixed, "updates to " + fixed + " are forbidden.");
        }
      }
    }
    return problems.list();
  }

  private static void checkTopologies(JsonNode topologies, Problems problems) {
    Set<JsonNode> terms = new HashSet<>();
    int index = 0;
    for (JsonNode term : topologies) {
      String path = "allowedTopologies[" + index++ + "].matchLabelExpressions";
      Set<String> keys = new HashSet<>();
      int at = 0;
      for (JsonNode expression : term.path("matchLabelExpressions")) {
        checkExpression(expression, path + "[" + at++ + "]", keys, problems);
      }
      if (term.path("matchLabelExpressions").isEmpty() || !terms.add(term)) {
        problems.duplicate(path, "");
      }
    }
  }

  private static void checkExpression(
      JsonNode expression, String path, Set<String> keys, Problems problems) {
    JsonNode values = expression.path("values");
    if (values.isEmpty()) {
      problems.required(path + ".values");
    }
    Set<String> seen = new HashSet<>();
    int index = 0;
    for (JsonNode value : values) {
      problems.unique(path + ".values[" + index++ + "]", value.asString(""), seen);
    }
    String key = expression.path("key").asString("");
    problems.each(path + ".key", key, NameValidation.qualifiedName(key));
    problems.unique(path + ".key", key, keys);
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    boolean standard = isDefault(object);
    return List.of(
        Cells.text(object.at("/metadata/name").asString("") + (standard ? " (default)" : "")),
        Cells.text(object.path("provisioner").asString("")),
        Cells.text(object.path("reclaimPolicy").asString("Delete")),
        Cells.text(object.path("volumeBindingMode").asString("Immediate")),
        Cells.text(Boolean.toString(object.path("allowVolumeExpansion").asBoolean(false))),
        Cells.age(object, now));
  }

  /// Whether claims that name no class get this one.
  public static boolean isDefault(JsonNode object) {
    JsonNode annotations = object.path("metadata").path("annotations");
    return annotations.path(DEFAULT).asString("").equals("true")
        || annotations
            .path("storageclass.beta.kubernetes.io/is-default-class")
            .asString("")
            .equals("true");
  }
}
