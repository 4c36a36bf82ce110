package io.fairlead.api.apply;

import io.fairlead.api.json.Json;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One entry of `metadata.managedFields`.
///
/// @param time RFC 3339, which also sorts as text; empty when the entry has none
record ManagedFieldsEntry(Key key, String time, FieldSet fields) {
  static final String APPLY = "Apply";
  static final String UPDATE = "Update";

  /// The order in which entries are listed.
  static final Comparator<ManagedFieldsEntry> ORDER =
      Comparator.comparing((ManagedFieldsEntry entry) -> entry.key.operation)
          .thenComparing(ManagedFieldsEntry::time)
          .thenComparing(entry -> entry.key.manager)
          .thenComparing(entry -> entry.key.apiVersion)
          .thenComparing(entry -> entry.key.subresource);

  /// What distinguishes entries.
  record Key(String manager, String operation, String apiVersion, String subresource) {
    /// As a conflict names it.
    String shown() {
      String shown = "\"" + manager + "\"";
      if (!subresource.isEmpty()) {
        shown += " with subresource \"" + subresource + "\"";
      }
      return operation.equals(UPDATE) ? shown + " using " + apiVersion : shown;
    }
  }

  /// Reads an entry, or null when it is none.
  static @Nullable ManagedFieldsEntry parse(JsonNode json) {
    String operation = Json.textOr(json, "", "operation");
    if (!operation.equals(APPLY) && !operation.equals(UPDATE)) {
      return null;
    }
    JsonNode fields = json.get("fieldsV1");
    FieldSet set = fields == null ? new FieldSet() : FieldSet.parse(fields);
    if (set == null) {
      return null;
    }
    Key key =
        new Key(
            Json.textOr(json, "", "manager"),
            operation,
            Json.textOr(json, "", "apiVersion"),
            Json.textOr(json, "", "subresource"));
    return new ManagedFieldsEntry(key, Json.textOr(json, "", "time"), set);
  }

  ObjectNode toJson() {
    ObjectNode json = Json.object();
    putUnlessEmpty(json, "manager", key.manager);
    json.put("operation", key.operation);
    putUnlessEmpty(json, "apiVersion", key.apiVersion);
    putUnlessEmpty(json, "time", time);
    json.put("fieldsType", "FieldsV1");
    json.set("fieldsV1", fields.toJson());
    putUnlessEmpty(json, "subresource", key.subresource);
    return json;
  }

  ManagedFieldsEntry with(FieldSet other) {
    return new ManagedFieldsEntry(key, time, other);
  }

  private static void putUnlessEmpty(ObjectNode json, String name, String value) {
    if (!value.isEmpty()) {
      json.put(name, value);
    }
  }
}
