package io.fairlead.server.resources.custom;

import io.fairlead.api.codec.DecodedBody;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Conformer;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.KindResource;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StatusView;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// customresourcedefinitions.apiextensions.k8s.io: the objects that define kinds.
public final class DefinitionResource extends KindResource {
  public static final String GROUP = "apiextensions.k8s.io";
  public static final String PLURAL = "customresourcedefinitions";

  /// Keeps a definition until the objects of its kind are gone.
  public static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

  private static final String PACKAGE = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.";
  private static final int HTTPS = 443;

  public DefinitionResource() {
    super(
        ResourceDescriptorBuilder.cluster(GROUP, PLURAL, "CustomResourceDefinition")
            .shortNames("crd", "crds")
            .categories("api-extensions")
            .storedUnder("/registry/" + GROUP + "/" + PLURAL)
            .schema(PACKAGE + "CustomResourceDefinition")
            .build(),
        NameValidator.SUBDOMAIN);
  }

  @Override
  public List<Subresource> subresources() {
    return List.of(StatusView.of(this));
  }

  @Override
  public boolean takesAnyFinalizer() {
    return true;
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
  public boolean allowsUnconditionalUpdate() {
    return false;
  }

  /// Schemas inside `items` and `additionalProperties` may also be something else than a schema, so
  /// they are held against the struct here.
  @Override
  public DecodedBody conformed(DecodedBody parsed) {
    DecodedBody conformed = super.conformed(parsed);
    for (JsonNode version : conformed.object().path("spec").path("versions")) {
      nested(version.path("schema").path("openAPIV3Schema"), false);
    }
    return conformed;
  }

  private static void nested(JsonNode schema, boolean open) {
    if (!(schema instanceof ObjectNode object)) {
      return;
    }
    if (open) {
      List<String> unused = Conformer.conform(object, Structs.SCHEMA);
    }
    object.path("properties").forEach(each -> nested(each, false));
    for (String list : List.of("allOf", "anyOf", "oneOf")) {
      object.path(list).forEach(each -> nested(each, false));
    }
    nested(object.path("not"), false);
    nested(object.path("items"), true);
    nested(object.path("additionalProperties"), true);
  }

  /// Loaded on first use.
  private static final class Structs {
    static final StructType SCHEMA = Schemas.kubernetes().struct(PACKAGE + "JSONSchemaProps");
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    if (!(object.get("spec") instanceof ObjectNode spec)) {
      return;
    }
    if (spec.get("names") instanceof ObjectNode names) {
      String kind = Json.textOr(names, "", "kind");
      Defaults.text(names, "singular", kind.toLowerCase(Locale.ROOT));
      if (!kind.isEmpty()) {
        Defaults.text(names, "listKind", kind + "List");
      }
    }
    ObjectNode conversion = Json.child(spec, "conversion");
    Defaults.text(conversion, "strategy", "None");
    if (conversion.path("webhook").path("clientConfig").path("service")
        instanceof ObjectNode service) {
      Defaults.missingNumber(service, "port", HTTPS);
    }
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    ObjectNode status = object.putObject("status");
    status.putObject("acceptedNames").put("plural", "").put("kind", "");
    status.putArray("conditions");
  }

  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    noteStorageVersion(object);
  }

  /// Remembers every version in which objects may lie in the store.
  private static void noteStorageVersion(ObjectNode object) {
    ObjectNode status = Json.child(object, "status");
    ArrayNode stored =
        status.get("storedVersions") instanceof ArrayNode list
            ? list
            : status.putArray("storedVersions");
    for (JsonNode version : object.path("spec").path("versions")) {
      String name = Json.textOr(version, "", "name");
      if (version.path("storage").asBoolean(false)
          && !SchemaCompiler.texts(stored).contains(name)) {
        stored.add(name);
      }
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    return old == null
        ? DefinitionValidation.create(object)
        : DefinitionValidation.update(object, old);
  }

  @Override
  protected List<FieldError> validateStatus(
      ObjectNode object, ObjectNode old, RequestContext context) {
    return DefinitionValidation.status(object);
  }

  /// A definition that is deleted first gets the finalizer that stands for its objects.
  @Override
  public boolean mayBeRemoved(ObjectNode object) {
    return object.path("metadata").has("deletionTimestamp") && super.mayBeRemoved(object);
  }

  @Override
  public void markDeleted(ObjectNode object) {
    ObjectNode metadata = Json.child(object, "metadata");
    ArrayNode finalizers =
        metadata.get("finalizers") instanceof ArrayNode list
            ? list
            : metadata.putArray("finalizers");
    if (!SchemaCompiler.texts(finalizers).contains(CLEANUP)) {
      finalizers.add(CLEANUP);
    }
    boolean unused =
        DefinitionConditions.set(
            object,
            "Terminating",
            true,
            "InstanceDeletionPending",
            "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
            Json.textOr(metadata, "", "deletionTimestamp"));
  }
}
