package io.fairlead.api.apply;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// All entries of `metadata.managedFields` while they are worked on. Owned by one request.
final class ManagedFieldsEntries {
  /// More Update entries than these are folded together, oldest first.
  static final int MAX_UPDATERS = 10;

  static final String ANCIENT = "ancient-changes";

  private final Map<ManagedFieldsEntry.Key, ManagedFieldsEntry> entries = new LinkedHashMap<>();

  /// Reads a list of entries; null when one is malformed.
  static @Nullable ManagedFieldsEntries parse(JsonNode list) {
    if (!list.isArray() && !list.isMissingNode()) {
      return null;
    }
    ManagedFieldsEntries owners = new ManagedFieldsEntries();
    for (JsonNode json : list) {
      ManagedFieldsEntry entry = ManagedFieldsEntry.parse(json);
      if (entry == null) {
        return null;
      }
      owners.put(entry);
    }
    return owners;
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  @Nullable ManagedFieldsEntry get(ManagedFieldsEntry.Key key) {
    return entries.get(key);
  }

  List<ManagedFieldsEntry> all() {
    return List.copyOf(entries.values());
  }

  /// Adds or replaces an entry; one without fields is removed.
  void put(ManagedFieldsEntry entry) {
    if (entry.fields().isEmpty()) {
      entries.remove(entry.key());
    } else {
      entries.put(entry.key(), entry);
    }
  }

  /// Takes fields from everybody but one.
  void takeFromOthers(FieldSet fields, ManagedFieldsEntry.@Nullable Key except) {
    if (fields.isEmpty()) {
      return;
    }
    for (ManagedFieldsEntry entry : all()) {
      if (!entry.key().equals(except)) {
        put(entry.with(entry.fields().minus(fields)));
      }
    }
  }

  /// Everything that anybody owns.
  FieldSet union() {
    FieldSet union = new FieldSet();
    for (ManagedFieldsEntry entry : entries.values()) {
      union = union.union(entry.fields());
    }
    return union;
  }

  /// Folds the oldest Update entries of an apiVersion into one, until few enough are left.
  void fold() {
    List<ManagedFieldsEntry> updaters = new ArrayList<>();
    for (ManagedFieldsEntry entry : entries.values()) {
      if (entry.key().operation().equals(ManagedFieldsEntry.UPDATE)) {
        updaters.add(entry);
      }
    }
    if (updaters.size() <= MAX_UPDATERS) {
      return;
    }
    updaters.sort(ManagedFieldsEntry.ORDER);
    Map<String, ManagedFieldsEntry> oldest = new HashMap<>();
    int left = updaters.size();
    for (ManagedFieldsEntry entry : updaters) {
      if (left <= MAX_UPDATERS) {
        return;
      }
      String version = entry.key().apiVersion();
      ManagedFieldsEntry first = oldest.putIfAbsent(version, entry);
      if (first != null) {
        ManagedFieldsEntry.Key bucket =
            new ManagedFieldsEntry.Key(ANCIENT, ManagedFieldsEntry.UPDATE, version, "");
        FieldSet both = entry.fields().union(first.fields());
        entries.remove(first.key());
        entries.remove(entry.key());
        ManagedFieldsEntry folded = new ManagedFieldsEntry(bucket, entry.time(), both);
        put(folded);
        oldest.put(version, folded);
        left--;
      }
    }
  }

  /// Writes the entries into the object, or removes the list when there are none.
  void writeTo(ObjectNode object) {
    ObjectNode metadata = Json.child(object, "metadata");
    if (entries.isEmpty()) {
      metadata.remove("managedFields");
      return;
    }
    ArrayNode list = Json.array();
    entries.values().stream()
        .sorted(ManagedFieldsEntry.ORDER)
        .map(ManagedFieldsEntry::toJson)
        .forEach(list::add);
    metadata.set("managedFields", list);
  }
}
