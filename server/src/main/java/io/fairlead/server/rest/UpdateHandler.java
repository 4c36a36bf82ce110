package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameFormat;
import io.fairlead.api.schema.ZeroValues;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.api.status.Status;
import io.fairlead.server.admission.AdmissionChain;
import io.fairlead.server.admission.AdmissionRequest;
import io.fairlead.server.admission.webhook.AdmissionAttributes.Operation;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resource.Subresource;
import io.fairlead.store.CommitResult;
import io.fairlead.store.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Changes objects (spec 2.2): PUT, every PATCH, views such as `/status` and `/scale`, and actions.
///
/// How it works: read, compute the new object, check and store it on condition that no other write
/// came in between; if one did, start over with its result. A PUT that names a resourceVersion
/// fails in the second round by itself, a patch is applied to the newer object.
final class UpdateHandler {
  private static final int ATTEMPTS = 200;

  private static final Set<String> POD_PARTS = Set.of("ephemeralcontainers", "resize");

  /// What all keys begin with; a rehearsal leaves it out.
  private static final String ROOT = "/registry";

  private final RestDependencies core;
  private final CreateHandler creates;
  private final FieldOwnershipTracker ownership;
  private final QuotaCharges quotas;
  private final AdmissionSteps admission;

  UpdateHandler(RestDependencies core, CreateHandler creates, FieldOwnershipTracker ownership) {
    this.core = core;
    this.creates = creates;
    this.ownership = ownership;
    this.quotas = new QuotaCharges(core);
    this.admission = new AdmissionSteps(core);
  }

  /// What a request wants to become of an object.
  interface Change {
    /// The wanted object. `current` is what the client sees (the view's form for a view), its own
    /// copy, with resourceVersion.
    ObjectNode apply(ObjectNode current);

    /// The object to make when there is none; null when that is an error.
    default @Nullable ObjectNode fromNothing() {
      return null;
    }

    /// Whether the result already says who owns which field.
    default boolean ownsFields() {
      return false;
    }

    /// Whether an omitted resourceVersion is fine even where PUT demands one.
    default boolean isPatch() {
      return true;
    }
  }

  /// How the change reaches the object.
  sealed interface Route {
    /// The object itself.
    record Whole() implements Route {}

    /// Through a subresource.
    record Through(Subresource.View view) implements Route {}

    /// By an action that vouches for what it does.
    record Action() implements Route {}
  }

  /// @param created the object did not exist before
  record Result(ObjectNode object, boolean created) {}

  Result update(ResourceRequest call, Route route, Change change, WriteOptions options) {
    call.setDryRun(options.dryRun());
    String key = call.descriptor().key(call.namespace(), call.name());
    StoredObjects.StoredObject found = StoredObjects.read(core.store(), call.resource(), key);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      call.deadline().check();
      if (found == null) {
        ObjectNode fresh = change.fromNothing();
        if (fresh == null) {
          throw ApiException.notFound(
              call.descriptor().group(), call.descriptor().plural(), call.name());
        }
        return new Result(createMissing(call, fresh, change, options), true);
      }
      ObjectNode next = compute(call, route, change, options, found, key);
      Attempt attempted = commit(call, route, key, next, found);
      if (attempted.done() != null) {
        if (!call.dryRun()) {
          core.specs().stored(call, "update", found.tree(), attempted.done());
        }
        return new Result(attempted.done(), false);
      }
      if (attempted.conflict() != null && attempted.conflict().key().equals(key)) {
        found = StoredObjects.found(call.resource(), attempted.conflict().current());
      } else {
        // Another write took what this one claims; that must be seen before the next try.
        core.caches().awaitFresh();
        found = StoredObjects.read(core.store(), call.resource(), key);
      }
    }
    throw ApiException.modified(call.descriptor().group(), call.descriptor().plural(), call.name());
  }

  private ObjectNode createMissing(
      ResourceRequest call, ObjectNode fresh, Change change, WriteOptions options) {
    String uid = ObjectMetadata.uid(fresh);
    if (!uid.isEmpty() && change.isPatch()) {
      throw ApiException.conflict(
          call.descriptor().group(),
          call.descriptor().plural(),
          call.name(),
          "uid mismatch: the provided object specified uid "
              + uid
              + ", and no existing object was found");
    }
    if (!uid.isEmpty()) {
      throw uidMismatch(call, call.descriptor().key(call.namespace(), call.name()), uid, "");
    }
    ObjectMetadata.of(fresh).remove("resourceVersion");
    call.requireCreate();
    return creates.create(call, fresh, options, change.ownsFields());
  }

  private ObjectNode compute(
      ResourceRequest call,
      Route route,
      Change change,
      WriteOptions options,
      StoredObjects.StoredObject found,
      String key) {
    ObjectNode old = found.tree();
    ObjectNode next =
        switch (route) {
          case Route.Whole _ -> {
            ObjectNode wanted = change.apply(old.deepCopy());
            check(call, change, wanted, found, key);
            if (call.resource().splitsStatus()) {
              copy("status", old, wanted);
            }
            yield wanted;
          }
          case Route.Through(Subresource.View view) -> {
            ObjectNode wanted = change.apply(view.view(old.deepCopy()));
            check(call, change, wanted, found, key);
            ObjectNode admitted = mutated(call, view, wanted, old);
            ObjectNode parent = old.deepCopy();
            view.write(parent, admitted, call);
            copyManagedFields(admitted, parent);
            yield parent;
          }
          case Route.Action _ -> change.apply(old.deepCopy());
        };
    call.resource().dropNulls(next);
    ObjectMetadata.dropRepeatedOwners(next, call);
    ObjectMetadata.restore(next, old);
    StoredObjects.setRevision(next, found.revision());
    call.resource().applyDefaults(next);
    if (!change.ownsFields()) {
      // What admission adds belongs to no manager.
      String subresource = route instanceof Route.Whole ? "" : call.info().subresource();
      ownership.updated(call, next, old, subresource, options);
    }
    if (route instanceof Route.Whole) {
      next = mutated(call, next, old);
    }
    NodeRestriction.checkUpdate(call, next, old);
    return next;
  }

  private ObjectNode mutated(ResourceRequest call, ObjectNode wanted, ObjectNode old) {
    ObjectNode next =
        admission.mutate(
            call,
            Operation.UPDATE,
            BodyDecoder.Expected.of(call.resource()),
            wanted,
            old,
            object -> {
              call.resource().admit(object, old, call);
              AdmissionChain.mutate(new AdmissionRequest(call.descriptor(), object, old, call));
            });
    if (!admission.isIdle(call)) {
      ObjectMetadata.restore(next, old);
      ObjectMetadata.of(next)
          .set("resourceVersion", wanted.path("metadata").path("resourceVersion"));
    }
    return next;
  }

  /// The same for what is written through a view, in its form.
  private ObjectNode mutated(
      ResourceRequest call, Subresource.View view, ObjectNode wanted, ObjectNode old) {
    return admission.isIdle(call)
        ? wanted
        : admission.mutate(
            call,
            Operation.UPDATE,
            BodyDecoder.Expected.of(view, call.resource()),
            wanted,
            view.view(old.deepCopy()),
            _ -> {});
  }

  /// Whether what a pod runs or may use is changed by a way of its own, which is admitted like a
  /// pod: standards, limits and quotas hold for it too.
  private static boolean changesPodSpec(ResourceRequest call) {
    ResourceDescriptor descriptor = call.descriptor();
    return descriptor.group().isEmpty()
        && descriptor.plural().equals("pods")
        && POD_PARTS.contains(call.info().subresource());
  }

  /// Compares name, namespace, uid and resourceVersion of what is wanted with what is there.
  private void check(
      ResourceRequest call,
      Change change,
      ObjectNode wanted,
      StoredObjects.StoredObject found,
      String key) {
    ResourceDescriptor descriptor = call.descriptor();
    ObjectMetadata.matchPath(wanted, call.namespace(), descriptor.namespaced(), call.name());
    String version = ObjectMetadata.resourceVersion(wanted);
    if (version.isEmpty() || version.equals("0")) {
      if (!change.isPatch() && !call.resource().allowsUnconditionalUpdate()) {
        throw ApiException.invalid(
            descriptor.group(),
            descriptor.plural(),
            call.name(),
            List.of(
                FieldError.invalid(
                    "metadata.resourceVersion", 0, "must be specified for an update")));
      }
    } else if (!version.matches("[0-9]+")) {
      throw new ApiException(
          Status.of(500, "", "strconv.ParseUint: parsing \"" + version + "\": invalid syntax"));
    } else if (!version.equals(Long.toString(found.revision()))) {
      throw ApiException.modified(descriptor.group(), descriptor.plural(), call.name());
    }
    String uid = ObjectMetadata.uid(wanted);
    String before = ObjectMetadata.uid(found.tree());
    if (!uid.isEmpty() && !uid.equals(before) && change.isPatch()) {
      FieldError error = FieldError.invalid("metadata.uid", uid, "field is immutable");
      boolean twice = call.resource().metadataChecks() == Resource.MetadataChecks.UPDATE_AND_OBJECT;
      throw ApiException.invalid(
          call.resource().errorGroup(),
          descriptor.kind(),
          call.name(),
          twice ? List.of(error, error) : List.of(error));
    }
    if (!uid.isEmpty() && !uid.equals(before)) {
      throw uidMismatch(call, key, uid, before);
    }
  }

  private static ApiException uidMismatch(
      ResourceRequest call, String key, String given, String there) {
    return ApiException.conflict(
        call.descriptor().group(),
        call.descriptor().plural(),
        call.name(),
        "StorageError: invalid object, Code: 4, Key: "
            + (call.dryRun() && key.startsWith(ROOT) ? key.substring(ROOT.length()) : key)
            + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: "
            + given
            + ", UID in object meta: "
            + there);
  }

  /// One try to store: the stored object, or what stood in the way.
  private record Attempt(@Nullable ObjectNode done, CommitResult.@Nullable Conflict conflict) {}

  private Attempt commit(
      ResourceRequest call,
      Route route,
      String key,
      ObjectNode next,
      StoredObjects.StoredObject found) {
    List<Write> companions = complete(call, route, next, found.tree());
    if (mustGo(call.resource(), next)) {
      return remove(call, key, next, found);
    }
    ObjectNode old = found.tree();
    if (sameContent(next, old)) {
      return new Attempt(old, null);
    }
    if (call.dryRun()) {
      return new Attempt(next, null);
    }
    List<Write> writes = new ArrayList<>();
    writes.add(StoredObjects.put(call.resource(), key, next, found.revision()));
    writes.addAll(companions);
    return attempt(call, writes, next);
  }

  /// Allocates, prepares and validates.
  private List<Write> complete(ResourceRequest call, Route route, ObjectNode next, ObjectNode old) {
    Resource resource = call.resource();
    List<Write> companions = new ArrayList<>();
    if (route instanceof Route.Whole) {
      companions.addAll(resource.companions(next, old, call));
      resource.prepare(next, old, call);
    }
    if (resource.countsGenerations() && resource.isGenerationChange(next, old)) {
      long before = old.path("metadata").path("generation").asLong(0);
      ObjectMetadata.of(next).put("generation", before + 1);
    }
    resource.dropNulls(next);
    List<FieldError> errors = metadataErrors(call, route, next, old);
    switch (route) {
      case Route.Whole _ -> errors.addAll(resource.validate(next, old, call));
      case Route.Through(Subresource.View view) -> errors.addAll(view.validate(next, old, call));
      case Route.Action _ -> {}
    }
    if (!errors.isEmpty()) {
      throw route instanceof Route.Through(Subresource.View view) && !resource.isCustom()
          ? ApiException.invalid(view.group(), view.kind(), call.name(), errors)
          : ApiException.invalid(
              resource.errorGroup(), call.descriptor().kind(), call.name(), errors);
    }
    AdmissionRequest request = new AdmissionRequest(call.descriptor(), next, old, call);
    if (route instanceof Route.Through && changesPodSpec(call)) {
      AdmissionChain.validate(request);
      companions.addAll(quotas.charge(request));
    }
    if (route instanceof Route.Whole) {
      AdmissionChain.validate(request);
      admission.validate(
          call, Operation.UPDATE, BodyDecoder.Expected.of(call.resource()), next, old);
      companions.addAll(quotas.charge(request));
      resource.warnings(next, old, call).forEach(call::warn);
    } else if (route instanceof Route.Through(Subresource.View view) && !admission.isIdle(call)) {
      admission.validate(
          call,
          Operation.UPDATE,
          BodyDecoder.Expected.of(view, call.resource()),
          view.view(next.deepCopy()),
          view.view(old.deepCopy()));
    }
    ZeroValues.complete(next, resource.schema());
    return companions;
  }

  /// The original checks metadata for all kinds and again per kind, and lists all findings.
  private List<FieldError> metadataErrors(
      ResourceRequest call, Route route, ObjectNode next, ObjectNode old) {
    Resource resource = call.resource();
    boolean namespaced = call.descriptor().namespaced();
    List<FieldError> errors =
        new ArrayList<>(
            MetadataRules.validateCommon(next, namespaced, NameFormat.PATH_SEGMENT::problems));
    errors.addAll(MetadataRules.validateCommonUpdate(next, old));
    Resource.MetadataChecks checks = resource.metadataChecks();
    if (route instanceof Route.Action || checks == Resource.MetadataChecks.NONE) {
      return errors;
    }
    if (checks == Resource.MetadataChecks.COMMON) {
      errors.addAll(MetadataRules.validateCommonUpdate(next, old));
      return errors;
    }
    errors.addAll(MetadataRules.validateUpdate(next, old));
    if (route instanceof Route.Whole && checks == Resource.MetadataChecks.UPDATE_AND_OBJECT) {
      errors.addAll(
          MetadataRules.validate(
              next,
              namespaced,
              (name, prefix) -> resource.nameProblems(name, prefix, core.emulatedMinor())));
    }
    return errors;
  }

  /// An object that waits for its deletion goes with its last finalizer.
  private static boolean mustGo(Resource resource, ObjectNode next) {
    return ObjectMetadata.isBeingDeleted(next)
        && next.path("metadata").path("deletionGracePeriodSeconds").asLong(0) == 0
        && resource.mayBeRemoved(next);
  }

  private Attempt remove(
      ResourceRequest call, String key, ObjectNode next, StoredObjects.StoredObject found) {
    if (call.dryRun()) {
      return new Attempt(next, null);
    }
    List<Write> writes = new ArrayList<>();
    writes.add(new Write.Delete(key, found.revision()));
    writes.addAll(call.resource().companions(null, found.tree(), call));
    return attempt(call, writes, next);
  }

  private Attempt attempt(ResourceRequest call, List<Write> writes, ObjectNode next) {
    return switch (core.commit(call.resource(), writes)) {
      case CommitResult.Committed(long revision) -> {
        StoredObjects.setRevision(next, revision);
        yield new Attempt(next, null);
      }
      case CommitResult.Conflict conflict -> new Attempt(null, conflict);
    };
  }

  /// Whether nothing changed but the times in managedFields.
  private static boolean sameContent(ObjectNode next, ObjectNode old) {
    // Numbers that were computed may be of another node class than those that were read.
    ObjectNode one = Json.parseObject(Json.bytes(next));
    ObjectNode two = old.deepCopy();
    dropTimes(one);
    dropTimes(two);
    return one.equals(two);
  }

  private static void dropTimes(ObjectNode object) {
    for (JsonNode entry : object.path("metadata").path("managedFields")) {
      if (entry instanceof ObjectNode owner) {
        owner.remove("time");
      }
    }
  }

  private static void copy(String member, ObjectNode from, ObjectNode to) {
    JsonNode value = from.get(member);
    if (value == null) {
      to.remove(member);
    } else {
      to.set(member, value.deepCopy());
    }
  }

  /// A client may edit managedFields through any view.
  private static void copyManagedFields(ObjectNode from, ObjectNode to) {
    JsonNode owners = from.path("metadata").get("managedFields");
    if (owners != null) {
      ObjectMetadata.of(to).set("managedFields", owners);
    }
  }
}
