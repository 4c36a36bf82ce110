package io.fairlead.api.apply;

import io.fairlead.api.json.Json;
import io.fairlead.api.patch.MergePatch;
import io.fairlead.api.patch.StrategicMergePatch;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// As much of an API server as the history of one Service needs: defaults, then ownership, then
/// allocation, in that order. JSON is written with single quotes.
final class FakeServiceApi {
  static final StructType SERVICE = Schemas.kubernetes().struct("io.k8s.api.core.v1.Service");

  private @Nullable ObjectNode stored;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  void tick() {
    now = now.plusSeconds(1);
  }

  ObjectNode stored() {
    if (stored == null) {
      throw new IllegalStateException("nothing is stored");
    }
    return stored.deepCopy();
  }

  JsonNode at(String... path) {
    return Json.at(stored(), path);
  }

  void create(String manager, String body) {
    ObjectNode object = service(body);
    defaults(object);
    ManagedFields.afterUpdate(null, object, SERVICE, manager(manager, ""));
    finish(object);
  }

  void put(String manager, String body) {
    ObjectNode object = service(body);
    if (at("status") instanceof ObjectNode status) {
      object.set("status", status);
    }
    update(manager, object, "");
  }

  void mergePatch(String manager, String patch, String subresource) {
    update(manager, MergePatch.apply(stored(), json(patch)), subresource);
  }

  void strategicMergePatch(String manager, String patch) {
    update(manager, StrategicMergePatch.apply(stored(), json(patch), SERVICE), "");
  }

  private void update(String manager, ObjectNode object, String subresource) {
    defaults(object);
    ManagedFields.afterUpdate(stored(), object, SERVICE, manager(manager, subresource));
    finish(object);
  }

  void apply(String manager, String config, boolean force) {
    ObjectNode object =
        ServerSideApply.apply(
            stored == null ? null : stored(),
            service(config),
            SERVICE,
            manager(manager, ""),
            force);
    defaults(object);
    finish(object);
  }

  private FieldManager manager(String name, String subresource) {
    return new FieldManager(name, "v1", subresource, now);
  }

  private static ObjectNode service(String body) {
    ObjectNode object = json(body);
    object.put("apiVersion", "v1").put("kind", "Service");
    Json.child(object, "metadata").put("name", "a");
    return object;
  }

  private static void defaults(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    putIfAbsent(spec, "type", "ClusterIP");
    putIfAbsent(spec, "sessionAffinity", "None");
    putIfAbsent(spec, "internalTrafficPolicy", "Cluster");
    if (Json.textOr(spec, "", "sessionAffinity").equals("ClientIP")) {
      Json.child(Json.child(spec, "sessionAffinityConfig"), "clientIP")
          .put("timeoutSeconds", 10800);
    }
    for (JsonNode item : spec.path("ports")) {
      ObjectNode port = (ObjectNode) item;
      putIfAbsent(port, "protocol", "TCP");
      if (!port.has("targetPort")) {
        port.set("targetPort", port.path("port"));
      }
    }
  }

  private void finish(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    putIfAbsent(spec, "clusterIP", "10.0.0.9");
    if (!object.has("status")) {
      object.putObject("status").putObject("loadBalancer");
    }
    Json.child(object, "metadata").put("uid", "1").put("namespace", "default");
    stored = object.deepCopy();
  }

  private static void putIfAbsent(ObjectNode object, String key, String value) {
    if (!object.has(key)) {
      object.put(key, value);
    }
  }

  /// One line per manager: `a Apply {…}`, with single quotes.
  List<String> owners() {
    return at("metadata", "managedFields").valueStream().map(FakeServiceApi::owner).toList();
  }

  private static String owner(JsonNode entry) {
    String subresource = Json.textOr(entry, "", "subresource");
    String fields =
        new String(Json.bytes(entry.path("fieldsV1")), StandardCharsets.UTF_8)
            .replace("\\\"", "")
            .replace("\"", "");
    return Json.textOr(entry, "", "manager")
        + " "
        + Json.textOr(entry, "", "operation")
        + (subresource.isEmpty() ? "" : "/" + subresource)
        + " "
        + fields;
  }
}
