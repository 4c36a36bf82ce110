package io.fairlead.server.resources.admission;

import io.fairlead.api.json.Json;
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
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Who serves a version of a group: this server, or another one behind a Service.
public final class ApiServiceResource extends StoredResource {
  public static final String GROUP = "apiregistration.k8s.io";
  public static final String PLURAL = "apiservices";

  private static final int HTTPS = 443;
  private static final int MOST_GROUP_PRIORITY = 20_000;
  private static final int MOST_VERSION_PRIORITY = 1_000;
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Service", "The reference to the service that hosts this API endpoint."),
          Column.text("Available", "Whether this service is available."),
          Cells.AGE);

  public ApiServiceResource() {
    super(
        ResourceDescriptorBuilder.cluster(GROUP, PLURAL, "APIService")
            .categories("api-extensions")
            .storedUnder("/registry/apiregistration.k8s.io/apiservices")
            .schema("io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService")
            .build(),
        NameValidator.PATH_SEGMENT,
        Trait.STATUS,
        Trait.NEEDS_RESOURCE_VERSION);
  }

  @Override
  public boolean governsWrites() {
    return true;
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    if (Json.at(object, "spec", "service") instanceof ObjectNode service) {
      Defaults.missingNumber(service, "port", HTTPS);
    }
  }

  /// What this server serves itself is always there.
  @Override
  protected void initialStatus(ObjectNode object) {
    ObjectNode status = object.putObject("status");
    if (!object.path("spec").path("service").isObject()) {
      status
          .putArray("conditions")
          .addObject()
          .put("type", "Available")
          .put("status", "True")
          .put("lastTransitionTime", Json.textOr(object, "", "metadata", "creationTimestamp"))
          .put("reason", "Local")
          .put("message", "Local APIServices are always available");
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode spec = object.path("spec");
    String group = Json.textOr(spec, "", "group");
    String version = Json.textOr(spec, "", "version");
    String name = Json.textOr(object, "", "metadata", "name");
    if (!name.equals(version + "." + group)) {
      problems.invalid(
          "metadata.name",
          name,
          "must be `spec.version+\".\"+spec.group`: \"" + version + "." + group + "\"");
    }
    if (group.isEmpty() && !version.equals("v1")) {
      problems.required(
          "spec.group", "only v1 may have an empty group and it better be legacy kube");
    }
    if (!group.isEmpty()) {
      problems.each("spec.group", group, NameValidation.dns1123Subdomain(group));
    }
    problems.each("spec.version", version, NameValidation.dns1035Label(version));
    priority(
        problems,
        "spec.groupPriorityMinimum",
        spec.path("groupPriorityMinimum").asLong(0),
        MOST_GROUP_PRIORITY);
    priority(
        problems,
        "spec.versionPriority",
        spec.path("versionPriority").asLong(0),
        MOST_VERSION_PRIORITY);
    service(problems, spec);
    return problems.list();
  }

  private static void priority(Problems problems, String path, long value, int most) {
    if (value <= 0 || value > most) {
      problems.invalid(path, value, "must be positive and less than " + most);
    }
  }

  private static void service(Problems problems, JsonNode spec) {
    JsonNode service = spec.path("service");
    boolean bundle = !Json.textOr(spec, "", "caBundle").isEmpty();
    boolean insecure = spec.path("insecureSkipTLSVerify").asBoolean(false);
    if (!service.isObject()) {
      if (bundle) {
        problems.invalid(
            "spec.caBundle", bundle(spec), "local APIServices may not have a caBundle");
      }
      if (insecure) {
        problems.invalid(
            "spec.insecureSkipTLSVerify",
            spec.path("insecureSkipTLSVerify"),
            "local APIServices may not have insecureSkipTLSVerify");
      }
      return;
    }
    if (Json.textOr(service, "", "namespace").isEmpty()) {
      problems.required("spec.service.namespace");
    }
    if (Json.textOr(service, "", "name").isEmpty()) {
      problems.required("spec.service.name");
    }
    long port = service.path("port").asLong(HTTPS);
    if (port < 1 || port > 0xffff) {
      problems.invalid(
          "spec.service.port", port, "port is not valid: must be between 1 and 65535, inclusive");
    }
    if (insecure && bundle) {
      problems.invalid(
          "spec.insecureSkipTLSVerify",
          spec.path("insecureSkipTLSVerify"),
          "may not be true if caBundle is present");
    }
  }

  private static JsonNode bundle(JsonNode spec) {
    return spec.path("caBundle");
  }

  /// The status of its condition `Available`; empty without one.
  public static JsonNode available(JsonNode object) {
    for (JsonNode condition : object.path("status").path("conditions")) {
      if (Json.textOr(condition, "", "type").equals("Available")) {
        return condition;
      }
    }
    return object.path("status").path("missing");
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode service = object.path("spec").path("service");
    JsonNode available = available(object);
    String status = Json.textOr(available, "Unknown", "status");
    String shown =
        status.equals("True") ? status : status + reason(Json.textOr(available, "", "reason"));
    return List.of(
        Cells.name(object),
        Cells.text(
            service.isObject()
                ? Json.textOr(service, "", "namespace") + "/" + Json.textOr(service, "", "name")
                : "Local"),
        Cells.text(shown),
        Cells.age(object, now));
  }

  private static String reason(String reason) {
    return reason.isEmpty() ? "" : " (" + reason + ")";
  }
}
