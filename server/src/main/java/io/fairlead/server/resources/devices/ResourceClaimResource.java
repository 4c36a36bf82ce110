package io.fairlead.server.resources.devices;

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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The wish of pods for devices, and what was given to them.
public final class ResourceClaimResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(Cells.NAME, Column.text("State", "What has become of it."), Cells.AGE);

  public ResourceClaimResource() {
    super(
        ResourceDescriptorBuilder.namespaced("resource.k8s.io", "resourceclaims", "ResourceClaim")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    fill(Json.child(object, "spec"));
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    object.putObject("status");
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    check(object.path("spec").path("devices"), "spec.devices", problems);
    if (old != null) {
      problems.immutable("spec", object.path("spec"), old.path("spec"));
    }
    return problems.list();
  }

  /// Requests need names of their own and one way each to choose devices.
  static void check(JsonNode devices, String path, Problems problems) {
    Set<String> names = new HashSet<>();
    int index = 0;
    for (JsonNode request : devices.path("requests")) {
      String at = path + ".requests[" + index++ + "]";
      String name = request.path("name").asString("");
      if (name.isEmpty()) {
        problems.required(at + ".name");
      } else {
        problems.each(at + ".name", name, NameValidation.dns1123Label(name));
        problems.unique(at + ".name", name, names);
      }
      JsonNode exactly = request.path("exactly");
      boolean first = !request.path("firstAvailable").isEmpty();
      if (exactly.isObject() && first) {
        problems.invalid(
            at,
            request,
            "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set");
      } else if (!exactly.isObject() && !first) {
        problems.required(at, "exactly one of `exactly` or `firstAvailable` is required");
      } else if (exactly.isObject() && exactly.path("deviceClassName").asString("").isEmpty()) {
        problems.required(at + ".exactly.deviceClassName");
      }
    }
  }

  static void fill(ObjectNode spec) {
    for (JsonNode request : spec.path("devices").path("requests")) {
      if (request.get("exactly") instanceof ObjectNode exactly) {
        Defaults.missingText(exactly, "allocationMode", "ExactCount");
        if (exactly.path("allocationMode").asString("").equals("ExactCount")) {
          Defaults.number(exactly, "count", 1);
        }
      }
    }
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode status = object.path("status");
    String state = status.has("allocation") ? "allocated" : "pending";
    if (!status.path("reservedFor").isEmpty()) {
      state += ",reserved";
    }
    if (object.path("metadata").has("deletionTimestamp")) {
      state = "deleted," + state;
    }
    return List.of(Cells.name(object), Cells.text(state), Cells.age(object, now));
  }
}
