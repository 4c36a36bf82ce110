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
final class Owners {
  /// More Update entries than these are folded together, oldest first.
  static final int MAX_UPDATERS = 10;

  static final String ANCIENT = "ancient-changes";

  private final Map<Entry.Key, Entry> entries = new LinkedHashMap<>();

  /// Reads a list of entries; null when one is malformed.
  static @Nullable Owners parse(JsonNode list) {
    if (!list.isArray() && !list.isMissingNode()) {
      return null;
    }
    Owners owners = new Owners();
    for (JsonNode json : list) {
      Entry entry = Entry.parse(json);
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

  @Nullable Entry get(Entry.Key key) {
    return entries.get(key);
  }

  List<Entry> all() {
    return List.copyOf(entries.values());
  }

  /// Adds or replaces an entry; one without fields is removed.
  void put(Entry entry) {
    if (entry.fields().isEmpty()) {
      entries.remove(entry.key());
    } else {
      entries.put(entry.key(), entry);
    }
  }

  /// Takes fields from everybody but one.
  void takeFromOthers(FieldSet fields, Entry.@Nullable Key except) {
    if (fields.isEmpty()) {
      return;
    }
    for (Entry entry : all()) {
      if (!entry.key().equals(except)) {
        put(entry.with(entry.fields().minus(fields)));
      }
    }
  }

  /// Everything that anybody owns.
  FieldSet union() {
    FieldSet union = new FieldSet();
    for (Entry entry : entries.values()) {
      union = union.union(entry.fields());
    }
    return union;
  }

  /// Folds the oldest Update entries of an apiVersion into one, until few enough are left.
  void fold() {
    List<Entry> updaters = new ArrayList<>();
    for (Entry entry : entries.values()) {
      if (entry.key().operation().equals(Entry.UPDATE)) {
        updaters.add(entry);
      }
    }
    if (updaters.size() <= MAX_UPDATERS) {
      return;
    }
    updaters.sort(Entry.ORDER);
    Map<String, Entry> oldest = new HashMap<>();
    int left = updaters.size();
    for (Entry entry : updaters) {
      if (left <= MAX_UPDATERS) {
        return;
      }
      String version = entry.key().apiVersion();
      Entry first = oldest.putIfAbsent(version, entry);
      if (first != null) {
        Entry.Key bucket = new Entry.Key(ANCIENT, Entry.UPDATE, version, "");
        FieldSet both = entry.fields().union(first.fields());
        entries.remove(first.key());
        entries.remove(entry.key());
        Entry folded = new Entry(bucket, entry.time(), both);
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
    entries.values().stream().sorted(Entry.ORDER).map(Entry::toJson).forEach(list::add);
    metadata.set("managedFields", list);
  }
}
