package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.patch.JsonEquality;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.controller.runtime.ControllerContext;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the versions of the templates of one kind of owner: the newest always exists, and of the
/// old ones as many as the owner wants to be able to go back to.
public final class ControllerHistory {
  private static final int KEPT = 10;

  private final Client client;
  private final ResourceType ownerType;
  private final String hashLabel;
  private final Informer<ControllerRevision> revisions;
  private final Expectations expectations;

  /// @param hashLabel where a version has the hash of its template
  /// @param release takes an owner whose history can be seen again
  public ControllerHistory(
      ControllerContext wiring,
      ResourceType ownerType,
      String hashLabel,
      Consumer<ObjectKey> release) {
    this.client = wiring.client();
    this.ownerType = ownerType;
    this.hashLabel = hashLabel;
    this.revisions = wiring.informers().of(ControllerRevision.KIND);
    this.expectations = new Expectations(revisions, release);
  }

  public Informer<ControllerRevision> informer() {
    return revisions;
  }

  /// Whether the copy shows what was last written for that owner; if not, it is released later.
  public boolean fresh(ObjectMeta owner) {
    return expectations.met(owner.key(), of(owner));
  }

  public void forget(ObjectKey owner) {
    expectations.forget(owner);
  }

  /// The owner's versions, oldest first.
  public List<ControllerRevision> of(ObjectMeta owner) {
    return revisions.find(ControllerRevision.BY_OWNER, owner.uid()).stream()
        .sorted(
            Comparator.comparingLong(ControllerRevision::number)
                .thenComparing(ControllerRevision::name))
        .toList();
  }

  /// The version of the owner's template as it is now: found, moved to the end when it is an older
  /// one that has come back, or made.
  public ControllerRevision newest(ApiObject owner, List<ControllerRevision> known) {
    ObjectNode template = Json.child(Json.child(owner.body().deepCopy(), "spec"), "template");
    long next = known.isEmpty() ? 1 : known.getLast().number() + 1;
    Optional<ControllerRevision> same =
        known.reversed().stream()
            .filter(one -> JsonEquality.value(one.template(), template))
            .findFirst();
    if (same.isPresent() && same.get().equals(known.getLast())) {
      return same.get();
    }
    ObjectNode stored;
    if (same.isPresent()) {
      ObjectNode body = same.get().object().body().deepCopy();
      stored = client.update(ControllerRevision.TYPE, body.put("revision", next));
    } else {
      stored = create(owner.metadata(), template, next);
    }
    expectations.wrote(owner.metadata().key(), stored);
    return ControllerRevision.of(stored);
  }

  private ObjectNode create(ObjectMeta owner, ObjectNode template, long number) {
    for (int collisions = 0; ; collisions++) {
      ObjectNode body = body(owner, template, number, collisions);
      try {
        return client.create(ControllerRevision.TYPE, owner.namespace(), body);
      } catch (ApiException e) {
        if (!ApiErrors.isAlreadyExists(e)) {
          throw e;
        }
        ControllerRevision there =
            ControllerRevision.of(client.get(ControllerRevision.TYPE, ObjectKey.of(body)));
        boolean ours =
            ControllerRefManager.controller(there.metadata())
                .filter(one -> one.uid().equals(owner.uid()))
                .isPresent();
        if (ours && JsonEquality.value(there.template(), template)) {
          return there.object().body();
        }
      }
    }
  }

  private ObjectNode body(ObjectMeta owner, ObjectNode template, long number, int collisions) {
    String hash = TemplateHash.of(template, collisions);
    ObjectNode body =
        Json.object().put("kind", ControllerRevision.TYPE.kind()).put("apiVersion", "apps/v1");
    ObjectNode metadata =
        body.putObject("metadata")
            .put("name", owner.name() + "-" + hash)
            .put("namespace", owner.namespace());
    ObjectNode labels = metadata.putObject("labels");
    Json.at(template, "metadata", "labels")
        .properties()
        .forEach(label -> labels.set(label.getKey(), label.getValue()));
    labels.put(hashLabel, hash);
    metadata.putArray("ownerReferences").add(ControllerRefManager.reference(ownerType, owner));
    ObjectNode inside = template.deepCopy();
    // So that going back replaces the template and does not merge it.
    inside.put("$patch", "replace");
    // Others find the version of a template by its bytes, for which the original sorts members.
    body.putObject("data").putObject("spec").set("template", TemplateHash.sorted(inside));
    return body.put("revision", number);
  }

  /// Deletes the oldest versions beyond the owner's limit, but none that is in use.
  public void prune(ApiObject owner, List<ControllerRevision> known, Set<String> inUse) {
    List<ControllerRevision> unused =
        known.stream()
            .filter(one -> !inUse.contains(one.name()) && !inUse.contains(one.hash()))
            .toList();
    int limit = owner.body().path("spec").path("revisionHistoryLimit").asInt(KEPT);
    for (ControllerRevision one : unused.subList(0, Math.max(0, unused.size() - limit))) {
      try {
        client.delete(
            ControllerRevision.TYPE,
            one.metadata().key(),
            DeleteOptions.DEFAULT.onlyUid(one.metadata().uid()));
      } catch (ApiException e) {
        if (!ApiErrors.isNotFound(e)) {
          throw e;
        }
      }
    }
  }
}
