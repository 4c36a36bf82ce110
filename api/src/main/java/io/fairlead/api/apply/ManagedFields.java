package io.fairlead.api.apply;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.StructType;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Notes in `metadata.managedFields` who set which field, at every write that is not an apply.
///
/// The rule: fields whose value a write changes belong to the writer alone from then on, fields it
/// removes have no owner. What a subresource does not write is not looked at: the object's own path
/// leaves the status out, `/status` everything but the status and metadata.
public final class ManagedFields {
  private static final String LIST = "managedFields";

  /// Fields without an owner: identity and what the server fills in.
  private static final FieldSet NEVER = never();

  private static final FieldSet STATUS = only("status");
  private static final FieldSet SPEC = only("spec");
  private static final FieldSet NOTHING = new FieldSet();

  private ManagedFields() {}

  /// Notes a POST, PUT or PATCH. Changes `object`, whose managedFields may hold what the client
  /// sent: a list replaces the present one, an empty list or one empty entry clears it.
  ///
  /// @param live the object before; null when it is new
  /// @param object the object to be stored, with defaults, before the server allocates anything
  public static void afterUpdate(
      @Nullable ObjectNode live, ObjectNode object, StructType type, FieldManager manager) {
    ManagedFieldsEntries owners = current(live, object, !manager.subresource().isEmpty());
    if (live != null && owners.isEmpty()) {
      // Cleared, or from a time before tracking: the first apply makes a new start.
      owners.writeTo(object);
      return;
    }
    note(live == null ? Json.object() : live, object, type, manager, owners);
    owners.fold();
    owners.writeTo(object);
  }

  /// Enters what the manager changed between two versions.
  static void note(
      ObjectNode live,
      ObjectNode object,
      StructType type,
      FieldManager manager,
      ManagedFieldsEntries owners) {
    FieldComparison comparison =
        FieldComparison.of(untracked(live), untracked(object), type)
            .without(ignored(manager.subresource()));
    if (comparison.isEmpty()) {
      return;
    }
    FieldSet taken = comparison.taken();
    owners.takeFromOthers(taken, null);
    owners.takeFromOthers(comparison.removed(), null);
    FieldSet own = taken.minus(NEVER);
    if (own.isEmpty()) {
      return;
    }
    ManagedFieldsEntry.Key key =
        new ManagedFieldsEntry.Key(
            manager.name(), ManagedFieldsEntry.UPDATE, manager.apiVersion(), manager.subresource());
    ManagedFieldsEntry before = owners.get(key);
    owners.put(
        new ManagedFieldsEntry(
            key, time(manager), before == null ? own : own.union(before.fields())));
  }

  /// Who owns what now, by the client's list if it sent one, else by the stored one.
  private static ManagedFieldsEntries current(
      @Nullable ObjectNode live, ObjectNode object, boolean subresource) {
    JsonNode sent = object.path("metadata").path(LIST);
    if (!subresource && !sent.isMissingNode()) {
      if (isReset(sent)) {
        return new ManagedFieldsEntries();
      }
      ManagedFieldsEntries parsed = ManagedFieldsEntries.parse(sent);
      if (parsed != null && !parsed.isEmpty()) {
        return parsed;
      }
    }
    return stored(live);
  }

  /// The entries of a stored object; none when they cannot be read.
  static ManagedFieldsEntries stored(@Nullable ObjectNode live) {
    ManagedFieldsEntries parsed =
        live == null ? null : ManagedFieldsEntries.parse(live.path("metadata").path(LIST));
    return parsed == null ? new ManagedFieldsEntries() : parsed;
  }

  private static boolean isReset(JsonNode list) {
    return list.isArray()
        && (list.isEmpty()
            || (list.size() == 1 && list.get(0).isObject() && list.get(0).isEmpty()));
  }

  static String time(FieldManager manager) {
    return manager.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  static FieldSet withoutNever(FieldSet fields) {
    return fields.minus(NEVER);
  }

  /// Fields a write through that path cannot reach.
  static FieldSet ignored(String subresource) {
    return switch (subresource) {
      case "" -> STATUS;
      case "status" -> SPEC;
      default -> NOTHING;
    };
  }

  private static FieldSet only(String field) {
    FieldSet set = new FieldSet();
    set.child(PathElement.field(field)).own();
    return set;
  }

  /// The object without managedFields, sharing all the rest.
  static ObjectNode untracked(ObjectNode object) {
    if (!object.path("metadata").has(LIST)) {
      return object;
    }
    ObjectNode copy = Json.object();
    copy.setAll(object);
    ObjectNode metadata = Json.object();
    metadata.setAll((ObjectNode) object.path("metadata"));
    metadata.remove(LIST);
    copy.set("metadata", metadata);
    return copy;
  }

  private static FieldSet never() {
    FieldSet never = new FieldSet();
    never.child(PathElement.field("apiVersion")).own();
    never.child(PathElement.field("kind")).own();
    FieldSet metadata = never.child(PathElement.field("metadata")).own();
    for (String field :
        new String[] {
          "name",
          "namespace",
          "uid",
          "creationTimestamp",
          "generation",
          "resourceVersion",
          "selfLink",
          LIST
        }) {
      metadata.child(PathElement.field(field)).own();
    }
    return never;
  }
}
