package io.fairlead.server.resources.custom;

import io.fairlead.api.codec.DecodedBody;
import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameFormat;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.api.status.Status;
import io.fairlead.server.cel.CelType;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.PartialUpdateView;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One version of a kind that a CustomResourceDefinition defines.
public final class CustomResource extends Resource {
  private static final List<String> VERBS =
      List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");
  private static final Column NAME =
      Column.name("The name, unique within its namespace and kind; it cannot be changed.");

  private final Definition definition;
  private final CustomVersion version;
  private final Conversion conversion;
  private final RuleSet rules;
  private final ResourceDescriptor descriptor;
  private final StructType schema;
  private final List<Subresource> subresources = new ArrayList<>();
  private volatile boolean terminating;

  public CustomResource(Definition definition, CustomVersion version, Conversion conversion) {
    this.definition = definition;
    this.version = version;
    this.conversion = conversion;
    this.rules = RuleSet.of(version.schema());
    this.terminating = definition.terminating();
    this.descriptor =
        new ResourceDescriptor(
            definition.group(),
            version.name(),
            definition.plural(),
            definition.singular(),
            definition.kind(),
            definition.namespaced(),
            definition.shortNames(),
            definition.categories(),
            VERBS,
            definition.storagePrefix(),
            schemaName(definition.group(), version.name(), definition.kind()),
            definition.listKind());
    this.schema = FieldTypes.of(version.schema(), descriptor.schemaName());
    if (version.hasStatus()) {
      subresources.add(
          new PartialUpdateView(
              "status",
              descriptor,
              PartialUpdateView.READ_AND_WRITE,
              (parent, changed, _) -> takeStatus(parent, changed),
              (parent, old, _) -> validateStatus(parent, old)));
    }
    CustomVersion.ScalePaths scale = version.scale();
    if (scale != null) {
      subresources.add(new CustomScaleView(this, scale));
    }
  }

  /// Nothing but the status is written through that path.
  private static void takeStatus(ObjectNode parent, ObjectNode changed) {
    JsonNode status = changed.get("status");
    if (status == null) {
      parent.remove("status");
    } else {
      parent.set("status", status);
    }
  }

  /// `com.example.stable.v1.CronTab` for the group `stable.example.com`.
  static String schemaName(String group, String version, String kind) {
    return String.join(".", List.of(group.split("\\.", -1)).reversed())
        + "."
        + version
        + "."
        + kind;
  }

  Definition definition() {
    return definition;
  }

  StructuralSchema structure() {
    return version.schema();
  }

  /// From now on nothing is made of this kind: its definition is going away.
  public void terminate() {
    terminating = true;
  }

  @Override
  public ResourceDescriptor descriptor() {
    return descriptor;
  }

  @Override
  public List<Subresource> subresources() {
    return subresources;
  }

  @Override
  public boolean isCustom() {
    return true;
  }

  @Override
  public StructType schema() {
    return schema;
  }

  @Override
  public @Nullable ObjectNode openApi(boolean version3) {
    return PublishedSchema.of(this, version3);
  }

  @Override
  public DecodedBody conformed(DecodedBody parsed) {
    ObjectNode object = parsed.object();
    List<String> problems = new ArrayList<>(parsed.strictProblems());
    problems.addAll(ObjectMetaCoercion.apply(object, version.schema()));
    for (String path : UnknownFieldPruner.prune(object, version.schema())) {
      problems.add("unknown field \"" + path + "\"");
    }
    SchemaDefaulter.apply(object, version.schema());
    return new DecodedBody(object, problems);
  }

  @Override
  public void dropNulls(ObjectNode object) {
    Json.dropNulls(object.path("metadata"));
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    SchemaDefaulter.apply(object, version.schema());
  }

  @Override
  public void checkCreate() {
    if (terminating) {
      ApiException plain = ApiException.methodNotAllowed();
      throw new ApiException(
          Status.of(
                  405,
                  "MethodNotAllowed",
                  "create not allowed while custom resource definition is terminating")
              .withDetails(
                  plain.status().details() == null
                      ? Status.Details.EMPTY
                      : plain.status().details()));
    }
  }

  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    if (old == null && version.hasStatus()) {
      object.remove("status");
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    List<FieldError> errors = new ArrayList<>(identity(object));
    errors.addAll(SchemaValidator.validate(object, old, version.schema(), ""));
    CustomVersion.ScalePaths scale = version.scale();
    if (scale != null) {
      errors.addAll(CustomScaleView.validate(object, scale));
    }
    errors.addAll(ObjectMetaCoercion.validate(object, version.schema(), ""));
    if (old == null || ListTypeCheck.check(old, version.schema()).isEmpty()) {
      errors.addAll(ListTypeCheck.check(object, version.schema()));
    }
    errors.addAll(rules.validate(object, old, errors));
    return errors;
  }

  /// What is wrong after a write through `…/status`: in the status itself, which is looked at by
  /// itself, and by what is said of the whole.
  List<FieldError> validateStatus(ObjectNode object, ObjectNode old) {
    List<FieldError> errors = new ArrayList<>();
    StructuralSchema status = version.schema().member("status");
    if (object.has("status") && status != null) {
      for (FieldError error :
          SchemaValidator.validate(object.path("status"), old.get("status"), status, "")) {
        boolean whole = error.field().equals(SchemaFindings.NOWHERE);
        errors.add(
            new FieldError(
                error.kind(),
                whole ? "status" : "status." + error.field(),
                error.value(),
                error.detail()));
      }
    }
    CustomVersion.ScalePaths scale = version.scale();
    if (scale != null) {
      errors.addAll(CustomScaleView.validate(object, scale));
    }
    if (ListTypeCheck.check(old, version.schema()).isEmpty()) {
      errors.addAll(ListTypeCheck.check(object, version.schema()));
    }
    errors.addAll(rules.validate(object, old, errors));
    return errors;
  }

  private List<FieldError> identity(ObjectNode object) {
    List<FieldError> errors = new ArrayList<>();
    String kind = Json.textOr(object, "", "kind");
    if (!kind.equals(descriptor.kind())) {
      errors.add(FieldError.invalid("kind", kind, "must be " + descriptor.kind()));
    }
    return errors;
  }

  @Override
  public List<String> nameProblems(String name, boolean prefix, int emulatedMinor) {
    return NameFormat.DNS1123_SUBDOMAIN.problems(name, prefix);
  }

  @Override
  public MetadataChecks metadataChecks() {
    return MetadataChecks.COMMON;
  }

  @Override
  public boolean countsGenerations() {
    return true;
  }

  @Override
  public boolean isGenerationChange(ObjectNode object, ObjectNode old) {
    ObjectNode one = object.deepCopy();
    ObjectNode two = old.deepCopy();
    one.remove("metadata");
    two.remove("metadata");
    if (version.hasStatus()) {
      one.remove("status");
      two.remove("status");
    }
    return !JsonValues.same(one, two);
  }

  @Override
  public boolean allowsUnconditionalUpdate() {
    return false;
  }

  /// A whole object as expressions see it. Of its metadata they know the name alone.
  public CelType ruleType() {
    return RuleTypes.of(version.schema(), true);
  }

  @Override
  public @Nullable String deprecation(int emulatedMinor) {
    return definition.deprecation(version);
  }

  @Override
  public List<String> warnings(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    return FinalizerAdvice.of(object, old);
  }

  @Override
  public boolean convertsRemotely() {
    return definition.convertsByWebhook();
  }

  @Override
  public ObjectNode toStored(ObjectNode object) {
    return conversion.convert(object, definition.group() + "/" + definition.storageVersion());
  }

  @Override
  public ObjectNode fromStored(ObjectNode stored) {
    return conformed(conversion.convert(stored, descriptor.apiVersion()));
  }

  @Override
  public List<ObjectNode> fromStored(List<ObjectNode> stored) {
    List<ObjectNode> shown = conversion.convertAll(stored, descriptor.apiVersion());
    return shown.stream().map(this::conformed).toList();
  }

  /// As the schema of today has it.
  private ObjectNode conformed(ObjectNode shown) {
    List<String> unused = UnknownFieldPruner.prune(shown, version.schema());
    SchemaDefaulter.apply(shown, version.schema());
    return shown;
  }

  @Override
  public Map<String, String> selectableFields(ObjectNode object) {
    if (version.selectableFields().isEmpty()) {
      return Map.of();
    }
    Map<String, String> fields = new LinkedHashMap<>();
    for (String field : version.selectableFields()) {
      JsonNode value = Json.at(object, field.split("\\.", -1));
      fields.put(field, value.isValueNode() && !value.isNull() ? value.asString("") : "");
    }
    return fields;
  }

  @Override
  public List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    columns.add(NAME);
    version.columns().forEach(each -> columns.add(each.column()));
    return columns;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    List<JsonNode> cells = new ArrayList<>();
    cells.add(Cells.name(object));
    version.columns().forEach(each -> cells.add(each.cell(object, now)));
    return cells;
  }
}
