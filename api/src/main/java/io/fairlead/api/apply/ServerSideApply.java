package io.fairlead.api.apply;

import io.fairlead.api.json.Json;
import io.fairlead.api.patch.JsonEquality;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Server-side apply: a manager says what it wants some fields to be, and the server remembers that
/// it wants them.
///
/// How it works, with M applying the configuration C:
/// 1. C is laid over the live object ([ApplyMerge]).
/// 2. Fields M applied before, that are not in C and that no other manager owns are removed.
/// 3. Where the result differs from the live object in a field that another manager owns, M is in
///    conflict with it: the whole request fails, or with force the other one loses the field.
/// 4. M owns exactly the fields of C from now on. Values that did not change may have many owners.
///
/// The design is that of KEP-555.
public final class ServerSideApply {
  private static final String BEFORE_FIRST_APPLY = "before-first-apply";

  private ServerSideApply() {}

  /// The live object with the configuration applied and `metadata.managedFields` brought up to
  /// date. When nothing changes, neither do the times in managedFields. No argument is changed.
  ///
  /// Throws an ApiException: 409 for conflicts, 400 when the configuration has managedFields, 500
  /// (as upstream) when it does not fit the type.
  ///
  /// @param live null when the object does not exist; the result is then what to create
  /// @param force take fields from other managers instead of failing
  public static ObjectNode apply(
      @Nullable ObjectNode live,
      ObjectNode applied,
      StructType type,
      FieldManager manager,
      boolean force) {
    ObjectNode config = checked(applied);
    AppliedFields fields = AppliedFields.of(config, type);
    if (!fields.problems().isEmpty()) {
      throw untyped(config, fields.problems());
    }
    ObjectNode before = live == null ? Json.object() : ManagedFields.untracked(live);
    ManagedFieldsEntries owners = ManagedFields.stored(live);
    if (live != null && owners.isEmpty()) {
      ManagedFields.note(
          Json.object(),
          live,
          type,
          new FieldManager(BEFORE_FIRST_APPLY, manager.apiVersion(), "", manager.now()),
          owners);
    }
    return new Application(before, config, type, manager, owners)
        .run(fields.fields().minusSubtrees(ManagedFields.ignored(manager.subresource())), force);
  }

  /// The live object with the configuration laid over it, for a change that no manager is to own.
  /// No argument is changed.
  ///
  /// @throws ApiException when the configuration does not fit the type, or sets a list, map or
  ///   struct that is only ever owned whole: laid over, it would replace what is there
  public static ObjectNode overlay(ObjectNode live, ObjectNode applied, StructType type) {
    List<String> problems = AppliedFields.of(applied, type).problems();
    if (!problems.isEmpty()) {
      throw ApiException.badRequest(
          "failed to convert patch object to typed object: " + joined(problems));
    }
    List<String> replaced = AtomicValues.in(applied, type);
    if (!replaced.isEmpty()) {
      throw ApiException.badRequest(
          "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
              + String.join(", ", replaced));
    }
    return ApplyMerge.merge(live, applied, Shape.of(type));
  }

  private static ObjectNode checked(ObjectNode applied) {
    ObjectNode config = applied.deepCopy();
    Json.dropNulls(config);
    if (config.path("metadata").has("managedFields")) {
      throw ApiException.badRequest("metadata.managedFields must be nil");
    }
    return config;
  }

  private static ApiException untyped(ObjectNode config, List<String> problems) {
    String apiVersion = Json.textOr(config, "", "apiVersion");
    String named =
        Json.textOr(config, "", "metadata", "namespace")
            + "/"
            + Json.textOr(config, "", "metadata", "name")
            + "; "
            + (apiVersion.contains("/") ? apiVersion : "/" + apiVersion)
            + ", Kind="
            + Json.textOr(config, "", "kind");
    return new ApiException(
        Status.of(
            500, "", "failed to create typed patch object (" + named + "): " + joined(problems)));
  }

  private static String joined(List<String> problems) {
    return problems.size() == 1
        ? problems.getFirst()
        : "errors:\n  " + String.join("\n  ", problems);
  }

  /// One apply on its way.
  private record Application(
      ObjectNode live,
      ObjectNode config,
      StructType type,
      FieldManager manager,
      ManagedFieldsEntries owners) {

    ObjectNode run(FieldSet wanted, boolean force) {
      ManagedFieldsEntry.Key key =
          new ManagedFieldsEntry.Key(
              manager.name(),
              ManagedFieldsEntry.APPLY,
              manager.apiVersion(),
              manager.subresource());
      ManagedFieldsEntry last = owners.get(key);
      // For now with the fields that have no owner: the name keeps metadata from being taken away.
      owners.put(new ManagedFieldsEntry(key, ManagedFields.time(manager), wanted));
      ObjectNode result = ApplyMerge.merge(live, config, Shape.of(type));
      if (last != null) {
        prune(result, last.fields());
      }
      FieldComparison comparison =
          FieldComparison.of(live, result, type)
              .without(ManagedFields.ignored(manager.subresource()));
      FieldSet taken = comparison.taken();
      Map<ManagedFieldsEntry.Key, FieldSet> conflicts = conflicts(taken, key);
      if (!conflicts.isEmpty() && !force && !allowedByLastApplied(conflicts)) {
        throw ApplyConflict.of(conflicts);
      }
      owners.takeFromOthers(taken, key);
      owners.takeFromOthers(comparison.removed(), key);
      FieldSet own = ManagedFields.withoutNever(wanted);
      // An apply that changes nothing of the object leaves the times as they are.
      boolean changed = !JsonEquality.value(live, result);
      String time = changed ? ManagedFields.time(manager) : last == null ? "" : last.time();
      owners.put(new ManagedFieldsEntry(key, time, own));
      owners.writeTo(result);
      return result;
    }

    /// Takes away what the manager gave up and no other manager owns.
    private void prune(ObjectNode result, FieldSet last) {
      Shape shape = Shape.of(type);
      FieldSet kept = ApplyMerge.withParents(owners.union(), shape);
      FieldSet given = ApplyMerge.withParents(last, shape).minus(kept);
      ApplyMerge.remove(result, given, shape);
    }

    private Map<ManagedFieldsEntry.Key, FieldSet> conflicts(
        FieldSet taken, ManagedFieldsEntry.Key self) {
      Map<ManagedFieldsEntry.Key, FieldSet> conflicts = new TreeMap<>(ApplyConflict.ORDER);
      for (ManagedFieldsEntry entry : owners.all()) {
        if (!entry.key().equals(self)) {
          FieldSet common = entry.fields().intersection(taken);
          if (!common.isEmpty()) {
            conflicts.put(entry.key(), common);
          }
        }
      }
      return conflicts;
    }

    /// Whether all conflicts are about fields that kubectl itself applied before from the client
    /// side: `kubectl apply --server-side` may take those over.
    private boolean allowedByLastApplied(Map<ManagedFieldsEntry.Key, FieldSet> conflicts) {
      ObjectNode last = LastApplied.read(live);
      if (!manager.name().equals(LastApplied.MANAGER) || last == null) {
        return false;
      }
      FieldSet allowed = AppliedFields.of(last, type).fields();
      return conflicts.values().stream().allMatch(fields -> fields.minus(allowed).isEmpty());
    }
  }
}
