package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.api.status.Status.Details;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.store.CommitResult;
import io.fairlead.store.Write;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Deletes objects (spec 2.5): at once, or by a mark when a grace period runs or finalizers are
/// left.
final class DeleteHandler {
  private static final String ORPHAN = "orphan";
  private static final String FOREGROUND = "foregroundDeletion";
  private static final int ATTEMPTS = 200;

  private final RestDependencies core;
  private final AdmissionSteps admission;

  DeleteHandler(RestDependencies core) {
    this.core = core;
    this.admission = new AdmissionSteps(core);
  }

  /// @param removed gone for good; otherwise marked
  record Result(ObjectNode object, boolean removed) {}

  Result delete(ResourceRequest call, DeleteRequestOptions options) {
    ResourceDescriptor descriptor = call.descriptor();
    call.setDryRun(options.dryRun());
    String key = descriptor.key(call.namespace(), call.name());
    StoredObjects.StoredObject found = StoredObjects.read(core.store(), call.resource(), key);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      call.deadline().check();
      if (found == null) {
        throw ApiException.notFound(descriptor.group(), descriptor.plural(), call.name());
      }
      call.resource().checkDelete(found.tree(), call);
      NodeRestriction.checkDelete(call, found.tree());
      checkPreconditions(call, options, found);
      admission.delete(call, found.tree(), options);
      Result done = attempt(call, options, key, found);
      if (done != null) {
        return done;
      }
      found = StoredObjects.read(core.store(), call.resource(), key);
    }
    throw ApiException.modified(descriptor.group(), descriptor.plural(), call.name());
  }

  /// What the client is answered.
  static ObjectNode answer(ResourceRequest call, Result result) {
    if (!result.removed() || call.resource().answersDeleteWithObject()) {
      return result.object();
    }
    ResourceDescriptor descriptor = call.descriptor();
    Details details =
        new Details(
            ObjectMetadata.name(result.object()),
            descriptor.group(),
            descriptor.plural(),
            ObjectMetadata.uid(result.object()),
            List.of(),
            0);
    return Status.of(200, "", "").withDetails(details).toJson();
  }

  /// One try; null when another write came in between.
  private @Nullable Result attempt(
      ResourceRequest call,
      DeleteRequestOptions options,
      String key,
      StoredObjects.StoredObject found) {
    Resource resource = call.resource();
    ObjectNode old = found.tree();
    ObjectNode next = old.deepCopy();
    boolean finalizersChanged = setPropagation(next, options);
    long grace = resource.graceSeconds(old, options.graceSeconds());
    if (grace <= 0 && resource.mayBeRemoved(next)) {
      return remove(call, key, found);
    }
    if (!mark(call, next, grace) && !finalizersChanged) {
      return new Result(old, false);
    }
    if (call.dryRun()) {
      return new Result(next, false);
    }
    Write put = StoredObjects.put(resource, key, next, found.revision());
    if (core.commit(List.of(put)) instanceof CommitResult.Committed(long revision)) {
      StoredObjects.setRevision(next, revision);
      return new Result(next, false);
    }
    return null;
  }

  private @Nullable Result remove(
      ResourceRequest call, String key, StoredObjects.StoredObject found) {
    ObjectNode gone = found.tree();
    if (call.resource().endsGracefully()) {
      boolean unused = mark(call, gone, 0);
    }
    List<Write> writes = new ArrayList<>();
    writes.add(new Write.Delete(key, found.revision()));
    writes.addAll(call.resource().companions(null, gone, call));
    if (call.dryRun()) {
      return new Result(gone, true);
    }
    if (core.commit(call.resource(), writes) instanceof CommitResult.Committed(long revision)) {
      StoredObjects.setRevision(gone, revision);
      core.specs().stored(call, "delete", gone, null);
      return new Result(gone, true);
    }
    return null;
  }

  /// Marks the object as going; false when it is marked already and does not go sooner.
  private boolean mark(ResourceRequest call, ObjectNode next, long grace) {
    ObjectNode metadata = ObjectMetadata.of(next);
    boolean again = metadata.has("deletionTimestamp");
    if (again && grace >= metadata.path("deletionGracePeriodSeconds").asLong(0)) {
      return false;
    }
    metadata.put(
        "deletionTimestamp", ObjectMetadata.time(core.clock().instant().plusSeconds(grace)));
    metadata.put("deletionGracePeriodSeconds", grace);
    if (!again && metadata.has("generation")) {
      metadata.put("generation", metadata.path("generation").asLong() + 1);
    }
    call.resource().markDeleted(next);
    return true;
  }

  /// Sets the finalizer that stands for what becomes of dependents; true when that changed
  /// anything.
  private static boolean setPropagation(ObjectNode object, DeleteRequestOptions options) {
    if (options.leavesPropagationOpen()) {
      return false;
    }
    ObjectNode metadata = ObjectMetadata.of(object);
    Set<String> before = new LinkedHashSet<>();
    metadata.path("finalizers").forEach(each -> before.add(each.asString("")));
    Set<String> after = new LinkedHashSet<>(before);
    after.remove(ORPHAN);
    after.remove(FOREGROUND);
    if (options.orphans()) {
      after.add(ORPHAN);
    } else if (options.isForeground()) {
      after.add(FOREGROUND);
    }
    if (after.equals(before)) {
      return false;
    }
    if (after.isEmpty()) {
      metadata.remove("finalizers");
    } else {
      ArrayNode list = metadata.putArray("finalizers");
      after.forEach(list::add);
    }
    return true;
  }

  private static void checkPreconditions(
      ResourceRequest call, DeleteRequestOptions options, StoredObjects.StoredObject found) {
    JsonNode metadata = found.tree().path("metadata");
    String uid = Json.textOr(metadata, "", "uid");
    if (!options.uid().isEmpty() && !options.uid().equals(uid)) {
      throw precondition(
          call,
          "the UID in the precondition ("
              + options.uid()
              + ") does not match the UID in record ("
              + uid
              + "). The object might have been deleted and then recreated");
    }
    String version = Long.toString(found.revision());
    if (!options.resourceVersion().isEmpty() && !options.resourceVersion().equals(version)) {
      throw precondition(
          call,
          "the ResourceVersion in the precondition ("
              + options.resourceVersion()
              + ") does not match the ResourceVersion in record ("
              + version
              + "). The object might have been modified");
    }
  }

  /// Here the original names the kind, not the resource.
  private static ApiException precondition(ResourceRequest call, String why) {
    return ApiException.conflict(
        call.descriptor().group(), call.descriptor().kind(), call.name(), why);
  }
}
