package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameFormat;
import io.fairlead.api.names.NameGenerator;
import io.fairlead.api.schema.ZeroValues;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.api.status.Status;
import io.fairlead.server.admission.AdmissionChain;
import io.fairlead.server.admission.AdmissionRequest;
import io.fairlead.server.admission.webhook.AdmissionAttributes.Operation;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.store.CommitResult;
import io.fairlead.store.Write;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Makes objects (spec 2.2).
///
/// The steps are those of Kubernetes, in its order, because each can see what the ones before did:
/// default, admit, note who owns which field, give an identity, allocate, prepare, validate, warn,
/// store. Everything that is stored together is one commit, so a failed create leaves nothing
/// behind.
final class CreateHandler {
  /// How often a create is computed again because an allocation lost a race.
  private static final int ATTEMPTS = 100;

  private final RestDependencies core;
  private final NamespaceLifecycle namespaces;
  private final FieldOwnershipTracker ownership;
  private final QuotaCharges quotas;
  private final AdmissionSteps admission;

  CreateHandler(
      RestDependencies core, NamespaceLifecycle namespaces, FieldOwnershipTracker ownership) {
    this.core = core;
    this.namespaces = namespaces;
    this.ownership = ownership;
    this.quotas = new QuotaCharges(core);
    this.admission = new AdmissionSteps(core);
  }

  /// Stores a new object and returns it with its resourceVersion.
  ///
  /// @param sent decoded, with kind and apiVersion; changed
  /// @param owned the object already says who owns its fields (server-side apply)
  ObjectNode create(ResourceRequest call, ObjectNode sent, WriteOptions options, boolean owned) {
    Resource resource = call.resource();
    call.setDryRun(options.dryRun());
    resource.checkCreate();
    ObjectMetadata.matchPath(sent, call.namespace(), call.descriptor().namespaced(), call.name());
    ObjectMetadata.clean(sent);
    ObjectMetadata.dropRepeatedOwners(sent, call);
    resource.applyDefaults(sent);
    List<Write> checks = namespaces.checkCreate(call, ObjectMetadata.name(sent), false);
    if (!owned) {
      // What admission adds belongs to no manager.
      ownership.created(call, sent, options);
    }
    ObjectNode body =
        admission.mutate(
            call,
            Operation.CREATE,
            BodyDecoder.Expected.of(call.resource()),
            sent,
            null,
            object -> {
              resource.admit(object, null, call);
              AdmissionChain.mutate(new AdmissionRequest(call.descriptor(), object, null, call));
            });
    ObjectMetadata.matchPath(body, call.namespace(), call.descriptor().namespaced(), call.name());
    NodeRestriction.checkCreate(call, body);
    boolean generated = ObjectMetadata.name(body).isEmpty();
    int names = 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      call.deadline().check();
      ObjectNode object = body.deepCopy();
      String prefix = Json.textOr(object, "", "metadata", "generateName");
      if (generated && !prefix.isEmpty()) {
        ObjectMetadata.of(object).put("name", NameGenerator.name(prefix, core.random()));
        names++;
      }
      ObjectMetadata.identify(object, core.clock(), core.random());
      List<Write> writes = new ArrayList<>(checks);
      writes.addAll(complete(call, object));
      String key = call.descriptor().key(call.namespace(), ObjectMetadata.name(object));
      CommitResult outcome = store(call, key, object, writes);
      switch (outcome) {
        case CommitResult.Committed(long revision) -> {
          if (!options.dryRun()) {
            StoredObjects.setRevision(object, revision);
            call.committed(revision);
            Write.Value stored = call.stored();
            if (stored != null) {
              core.specs().created(call, ObjectMetadata.name(object), revision, stored.bytes());
            }
          }
          return object;
        }
        case CommitResult.Conflict conflict -> {
          if (conflict.key().equals(key)) {
            if (!generated || names >= NameGenerator.ATTEMPTS) {
              throw exists(call, object, conflict, generated);
            }
          } else {
            // Another write was faster, perhaps on another server; what it took must be seen.
            core.caches().awaitFresh();
            checks = namespaces.checkCreate(call, ObjectMetadata.name(object), true);
          }
        }
      }
    }
    throw ApiException.internal("the allocations of this object kept losing races, try again");
  }

  /// Allocates, prepares and validates.
  private List<Write> complete(ResourceRequest call, ObjectNode object) {
    Resource resource = call.resource();
    List<Write> companions = new ArrayList<>(resource.companions(object, null, call));
    if (resource.countsGenerations() && resource.countsCreation()) {
      ObjectMetadata.of(object).put("generation", 1);
    }
    resource.prepare(object, null, call);
    resource.dropNulls(object);
    NameFormat names = (name, prefix) -> resource.nameProblems(name, prefix, core.emulatedMinor());
    boolean namespaced = call.descriptor().namespaced();
    List<FieldError> errors =
        new ArrayList<>(
            resource.takesAnyFinalizer()
                ? MetadataRules.validateCommon(object, namespaced, names)
                : MetadataRules.validate(object, namespaced, names));
    errors.addAll(resource.validate(object, null, call));
    if (!errors.isEmpty()) {
      throw ApiException.invalid(
          resource.errorGroup(), call.descriptor().kind(), ObjectMetadata.name(object), errors);
    }
    AdmissionRequest request = new AdmissionRequest(call.descriptor(), object, null, call);
    AdmissionChain.validate(request);
    admission.validate(
        call, Operation.CREATE, BodyDecoder.Expected.of(call.resource()), object, null);
    companions.addAll(quotas.charge(request));
    resource.warnings(object, null, call).forEach(call::warn);
    ZeroValues.complete(object, resource.schema());
    return companions;
  }

  private CommitResult store(
      ResourceRequest call, String key, ObjectNode object, List<Write> others) {
    if (call.dryRun()) {
      var there = core.store().get(key);
      return there == null ? new CommitResult.Committed(0) : new CommitResult.Conflict(key, there);
    }
    List<Write> writes = new ArrayList<>();
    Write.Put put = StoredObjects.put(call.resource(), key, object, Write.ABSENT);
    call.setStored(put.value());
    writes.add(put);
    writes.addAll(others);
    return core.commit(call.resource(), writes);
  }

  private static ApiException exists(
      ResourceRequest call, ObjectNode object, CommitResult.Conflict conflict, boolean generated) {
    ResourceDescriptor descriptor = call.descriptor();
    ApiException plain =
        ApiException.alreadyExists(
            descriptor.group(), descriptor.plural(), ObjectMetadata.name(object));
    Status status = plain.status();
    if (generated) {
      Status.Details details = status.details() == null ? Status.Details.EMPTY : status.details();
      return new ApiException(
          Status.of(
                  409,
                  "AlreadyExists",
                  status.message()
                      + ", the server was not able to generate a unique name for the object")
              .withDetails(details.withRetryAfter(1)));
    }
    StoredObjects.StoredObject there = StoredObjects.found(call.resource(), conflict.current());
    if (there != null && ObjectMetadata.isBeingDeleted(there.tree())) {
      return new ApiException(
          new Status(
              status.code(),
              status.reason(),
              "object is being deleted: " + status.message(),
              status.details(),
              null));
    }
    return plain;
  }
}
