package io.fairlead.controller.history;

import io.fairlead.api.json.Json;
import io.fairlead.api.patch.Same;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.client.Statuses;
import io.fairlead.client.informer.Informer;
import io.fairlead.controller.runtime.Wiring;
import io.fairlead.controller.workload.Expectations;
import io.fairlead.controller.workload.Owners;
import io.fairlead.controller.workload.TemplateHash;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the versions of the templates of one kind of owner: the newest always exists, and of the
/// old ones as many as the owner wants to be able to go back to.
public final class Histories {
  private static final int KEPT = 10;

  private final Client client;
  private final ResourceType ownerType;
  private final Informer<Revision> revisions;
  private final Expectations expectations;

  /// @param release takes an owner whose history can be seen again
  public Histories(Wiring wiring, ResourceType ownerType, Consumer<ObjectKey> release) {
    this.client = wiring.client();
    this.ownerType = ownerType;
    this.revisions = wiring.informers().of(Revision.KIND);
    this.expectations = new Expectations(revisions, release);
  }

  public Informer<Revision> informer() {
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
  public List<Revision> of(ObjectMeta owner) {
    return revisions.find(Revision.BY_OWNER, owner.uid()).stream()
        .sorted(Comparator.comparingLong(Revision::number).thenComparing(Revision::name))
        .toList();
  }

  /// The version of the owner's template as it is now: found, moved to the end when it is an older
  /// one that has come back, or made.
  public Revision newest(ApiObject owner, List<Revision> known) {
    ObjectNode template = Json.child(Json.child(owner.body().deepCopy(), "spec"), "template");
    long next = known.isEmpty() ? 1 : known.getLast().number() + 1;
    Optional<Revision> same =
        known.reversed().stream().filter(one -> Same.value(one.template(), template)).findFirst();
    if (same.isPresent() && same.get().equals(known.getLast())) {
      return same.get();
    }
    ObjectNode stored;
    if (same.isPresent()) {
      ObjectNode body = same.get().object().body().deepCopy();
      stored = client.update(Revision.TYPE, body.put("revision", next));
    } else {
      stored = create(owner.metadata(), template, next);
    }
    expectations.wrote(owner.metadata().key(), stored);
    return Revision.of(stored);
  }

  private ObjectNode create(ObjectMeta owner, ObjectNode template, long number) {
    for (int collisions = 0; ; collisions++) {
      ObjectNode body = body(owner, template, number, collisions);
      try {
        return client.create(Revision.TYPE, owner.namespace(), body);
      } catch (ApiException e) {
        if (!Statuses.isAlreadyExists(e)) {
          throw e;
        }
        Revision there = Revision.of(client.get(Revision.TYPE, ObjectKey.of(body)));
        boolean ours =
            Owners.controller(there.metadata())
                .filter(one -> one.uid().equals(owner.uid()))
                .isPresent();
        if (ours && Same.value(there.template(), template)) {
          return there.object().body();
        }
      }
    }
  }

  private ObjectNode body(ObjectMeta owner, ObjectNode template, long number, int collisions) {
    String hash = TemplateHash.of(template, collisions);
    ObjectNode body = Json.object().put("kind", Revision.TYPE.kind()).put("apiVersion", "apps/v1");
    ObjectNode metadata =
        body.putObject("metadata")
            .put("name", owner.name() + "-" + hash)
            .put("namespace", owner.namespace());
    ObjectNode labels = metadata.putObject("labels");
    Json.at(template, "metadata", "labels")
        .properties()
        .forEach(label -> labels.set(label.getKey(), label.getValue()));
    labels.put(Revision.HASH, hash);
    metadata.putArray("ownerReferences").add(Owners.reference(ownerType, owner));
    ObjectNode inside = template.deepCopy();
    // So that going back replaces the template and does not merge it.
    inside.put("$patch", "replace");
    body.putObject("data").putObject("spec").set("template", inside);
    return body.put("revision", number);
  }

  /// Deletes the oldest versions beyond the owner's limit, but none that is in use.
  public void prune(ApiObject owner, List<Revision> known, Set<String> inUse) {
    List<Revision> unused =
        known.stream()
            .filter(one -> !inUse.contains(one.name()) && !inUse.contains(one.hash()))
            .toList();
    int limit = owner.body().path("spec").path("revisionHistoryLimit").asInt(KEPT);
    for (Revision one : unused.subList(0, Math.max(0, unused.size() - limit))) {
      try {
        client.delete(
            Revision.TYPE,
            one.metadata().key(),
            DeleteOptions.DEFAULT.onlyUid(one.metadata().uid()));
      } catch (ApiException e) {
        if (!Statuses.isNotFound(e)) {
          throw e;
        }
      }
    }
  }
}
