package io.fairlead.server.crd;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.cache.ListQuery;
import io.fairlead.server.cache.ObjectCache;
import io.fairlead.server.cache.SelectionPredicate;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.custom.DefinitionConditions;
import io.fairlead.server.resources.custom.DefinitionResource;
import io.fairlead.server.resources.custom.SchemaCompiler;
import io.fairlead.server.rest.InternalWriter;
import io.fairlead.server.rest.ResourceRegistry;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Deletes the objects of definitions that are going away, and lets each definition go when none is
/// left. An object with finalizers of its own is waited for.
final class DefinitionCleanup implements AutoCloseable {
  /// The kind of the loop.
  static final String LOOP = "custom-resource-cleanup";

  private static final Duration EVERY = Duration.ofMillis(250);

  private final Caches caches;
  private final ResourceRegistry registry;
  private final InternalWriter writer;
  private final InstantSource clock;
  private final SupervisedLoop loop;
  // Owned by the loop's thread: definitions whose objects were gone in the round before.
  private final Set<String> empty = new HashSet<>();

  DefinitionCleanup(
      Caches caches, ResourceRegistry registry, InternalWriter writer, InstantSource clock) {
    this.caches = caches;
    this.registry = registry;
    this.writer = writer;
    this.clock = clock;
    this.loop = SupervisedLoop.of(LOOP).every(EVERY).build(this::round);
  }

  void start() {
    loop.start();
  }

  void wake() {
    loop.wake();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void round() {
    Resource definitions = registry.find(DefinitionResource.GROUP, DefinitionResource.PLURAL);
    if (definitions == null) {
      return;
    }
    for (CachedObject cached : list(caches.of(definitions))) {
      ObjectNode definition = cached.tree();
      List<String> finalizers =
          SchemaCompiler.texts(definition.path("metadata").path("finalizers"));
      if (definition.path("metadata").has("deletionTimestamp")
          && finalizers.contains(DefinitionResource.CLEANUP)) {
        clean(definitions, definition);
      }
    }
  }

  private List<CachedObject> list(ObjectCache cache) {
    caches.awaitFresh();
    return cache.list(new ListQuery(SelectionPredicate.EVERYTHING, "0", "", 0, "")).items();
  }

  private void clean(Resource definitions, ObjectNode definition) {
    String name = Json.textOr(definition, "", "metadata", "name");
    Resource objects =
        registry.find(
            Json.textOr(definition, "", "spec", "group"),
            Json.textOr(definition, "", "spec", "names", "plural"));
    List<CachedObject> left =
        objects == null || !objects.isCustom() ? List.of() : list(caches.of(objects));
    if (!left.isEmpty() && objects != null) {
      note(
          definitions,
          name,
          true,
          "InstanceDeletionInProgress",
          "CustomResource deletion is in progress");
      for (CachedObject object : left) {
        if (!loop.isClosing()) {
          writer.delete(objects, object.namespace(), object.name());
        }
      }
      left = list(caches.of(objects));
    }
    if (!left.isEmpty()) {
      empty.remove(name);
    } else if (empty.add(name)) {
      // What was being created when the deletion came is seen in the next round.
      note(definitions, name, false, "InstanceDeletionCompleted", "removed all instances");
    } else {
      release(definitions, name);
      empty.remove(name);
    }
  }

  private void note(
      Resource definitions, String name, boolean state, String reason, String message) {
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    unlessGone(
        () ->
            writer.updateStatus(
                definitions,
                "",
                name,
                current -> {
                  boolean unused =
                      DefinitionConditions.set(
                          current, DefinitionConditions.TERMINATING, state, reason, message, now);
                  return current;
                }));
  }

  private void release(Resource definitions, String name) {
    unlessGone(
        () ->
            writer.update(
                definitions,
                "",
                name,
                current -> {
                  if (current.path("metadata").path("finalizers") instanceof ArrayNode list) {
                    list.removeIf(each -> each.asString("").equals(DefinitionResource.CLEANUP));
                  }
                  return current;
                }));
  }

  /// Another server may have been faster.
  private static void unlessGone(Runnable write) {
    try {
      write.run();
    } catch (ApiException e) {
      if (e.status().code() != 404) {
        throw e;
      }
    }
  }
}
