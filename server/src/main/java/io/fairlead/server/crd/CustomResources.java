package io.fairlead.server.crd;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.cache.CacheWatcher;
import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.cache.ListQuery;
import io.fairlead.server.cache.ObjectCache;
import io.fairlead.server.cache.SelectionPredicate;
import io.fairlead.server.cache.WatchQuery;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.custom.Conversion;
import io.fairlead.server.resources.custom.CustomResource;
import io.fairlead.server.resources.custom.CustomVersion;
import io.fairlead.server.resources.custom.Definition;
import io.fairlead.server.resources.custom.DefinitionConditions;
import io.fairlead.server.resources.custom.DefinitionNames;
import io.fairlead.server.resources.custom.DefinitionResource;
import io.fairlead.server.resources.custom.VersionOrder;
import io.fairlead.server.rest.InternalWriter;
import io.fairlead.server.rest.ResourceRegistry;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Follows the definitions and serves what they define.
///
/// How it works: the loop `custom-resources` watches the cache of definitions. After each change it
/// decides whose names are free, makes a [CustomResource] of each served version, has their objects
/// cached, and only then puts them where requests, discovery and OpenAPI find them; last it writes
/// `Established`, so who waits for that never comes too early. A definition that did not change
/// keeps its resources, its caches and the watches on them. Other kinds notice nothing: they are
/// found in the same snapshot as before.
///
/// Requests for a kind that is not there wait for what was defined before they came ([#settle]):
/// another server may have answered the definition.
public final class CustomResources implements AutoCloseable {
  /// The kind of the loop that follows definitions.
  static final String LOOP = "custom-resources";

  private static final Logger log = LoggerFactory.getLogger(CustomResources.class);
  private static final Duration WAIT = Duration.ofMinutes(1);
  private static final Duration SETTLE = Duration.ofSeconds(1);
  private static final Comparator<Resource> ORDER =
      Comparator.comparing((Resource each) -> each.descriptor().group())
          .thenComparing(each -> each.descriptor().version(), VersionOrder.NEWEST_FIRST)
          .thenComparing(each -> each.descriptor().plural());

  private final Caches caches;
  private final ResourceRegistry registry;
  private final InternalWriter writer;
  private final InstantSource clock;
  private final Consumer<List<Resource>> listener;
  private final Function<Definition, Conversion> conversions;
  private final @Nullable Resource kind;
  private final DefinitionCleanup cleanup;
  private final SupervisedLoop loop;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition reconciled = lock.newCondition();
  // Written under the lock.
  private volatile long reconciledAt = -1;
  // Owned by the one thread that reconciles.
  private Map<String, Tracked> tracked = Map.of();
  private Map<CachedObject, ObjectNode> read = Map.of();

  /// What was made of a definition.
  ///
  /// @param state what its resources depend on
  private record Tracked(String state, List<CustomResource> resources) {}

  /// @param listener takes all resources that are served whenever they are others
  /// @param conversions how the objects of a definition become those of another version
  public CustomResources(
      Caches caches,
      ResourceRegistry registry,
      InternalWriter writer,
      InstantSource clock,
      Consumer<List<Resource>> listener,
      Function<Definition, Conversion> conversions) {
    this.caches = caches;
    this.registry = registry;
    this.writer = writer;
    this.clock = clock;
    this.listener = listener;
    this.conversions = conversions;
    this.kind = registry.find(DefinitionResource.GROUP, DefinitionResource.PLURAL);
    this.cleanup = new DefinitionCleanup(caches, registry, writer, clock);
    this.loop = SupervisedLoop.of(LOOP).build(this::follow);
  }

  /// Serves what is defined, and from now on whatever is. Does nothing on a server without
  /// definitions.
  public void start() {
    if (kind != null) {
      reconcile(kind);
      loop.start();
      cleanup.start();
    }
  }

  /// Whether a client was told of a definition, or of a change of one, that is not in force yet.
  public boolean isBehind() {
    return kind != null && reconciledAt < caches.of(kind).acknowledged();
  }

  /// Waits until all that was defined before the call is served, but no longer than a second.
  public void settle() {
    if (kind == null) {
      return;
    }
    caches.awaitFresh();
    long wanted = caches.of(kind).changedAt();
    lock.lock();
    try {
      long left = SETTLE.toNanos();
      while (reconciledAt < wanted && left > 0) {
        left = reconciled.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    cleanup.close();
    loop.close();
  }

  private void follow() throws InterruptedException {
    Resource definitions = kind;
    if (definitions == null) {
      loop.finish();
      return;
    }
    WatchQuery query = new WatchQuery(SelectionPredicate.EVERYTHING, "0", "", null, false);
    try (CacheWatcher watcher = caches.of(definitions).watch(query)) {
      reconcile(definitions);
      while (!loop.isClosing() && !watcher.isOver()) {
        if (watcher.next(WAIT) != null) {
          while (watcher.hasNext()) {
            var _ = watcher.next(Duration.ZERO);
          }
          reconcile(definitions);
        }
      }
    }
  }

  /// Serves what is defined now.
  private void reconcile(Resource definitions) {
    ObjectCache cache = caches.of(definitions);
    long at = cache.changedAt();
    ListQuery query = new ListQuery(SelectionPredicate.EVERYTHING, "0", "", 0, "");
    List<ObjectNode> all = trees(cache.list(query).items());
    List<ObjectNode> decided = decided(all);
    serve(decided);
    lock.lock();
    try {
      reconciledAt = at;
      reconciled.signalAll();
    } finally {
      lock.unlock();
    }
    for (int place = 0; place < all.size(); place++) {
      if (!all.get(place).path("status").equals(decided.get(place).path("status"))) {
        writeStatus(definitions, decided.get(place));
      }
    }
    cleanup.wake();
  }

  /// The trees of these objects, which are read again only when they have changed: definitions are
  /// large and come in great numbers. Not to be changed.
  private List<ObjectNode> trees(List<CachedObject> objects) {
    Map<CachedObject, ObjectNode> present = new IdentityHashMap<>();
    List<ObjectNode> trees = new ArrayList<>();
    for (CachedObject object : objects) {
      ObjectNode known = read.get(object);
      ObjectNode tree = known == null ? object.tree() : known;
      present.put(object, tree);
      trees.add(tree);
    }
    read = present;
    return trees;
  }

  /// The same definition with a status of its own.
  private static ObjectNode withOwnStatus(ObjectNode definition) {
    ObjectNode copy = Json.object();
    copy.setAll(definition);
    copy.set(
        "status",
        definition.path("status") instanceof ObjectNode status ? status.deepCopy() : Json.object());
    return copy;
  }

  /// The definitions with the status they should have. Who has its names keeps them; among those
  /// that ask for the first time, the older one is first.
  private List<ObjectNode> decided(List<ObjectNode> all) {
    List<ObjectNode> decided =
        new ArrayList<>(all.stream().map(CustomResources::withOwnStatus).toList());
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    List<ObjectNode> byAge = new ArrayList<>(decided);
    byAge.sort(
        Comparator.comparing(
                (ObjectNode each) -> Json.textOr(each, "", "metadata", "creationTimestamp"))
            .thenComparing(each -> Json.textOr(each, "", "metadata", "name")));
    for (ObjectNode definition : byAge) {
      boolean unused = DefinitionNames.heldByOthers(definition, decided).decide(definition, now);
    }
    return decided;
  }

  private void serve(List<ObjectNode> definitions) {
    Map<String, Tracked> next = new HashMap<>();
    List<Resource> served = new ArrayList<>();
    boolean changed = false;
    for (ObjectNode object : definitions) {
      if (!DefinitionConditions.isTrue(object, DefinitionConditions.ESTABLISHED)) {
        continue;
      }
      String name = Json.textOr(object, "", "metadata", "name");
      Tracked known = tracked.get(name);
      String state = state(object);
      if (known == null || !known.state().equals(state)) {
        known = new Tracked(state, resources(object));
        changed = true;
      }
      if (object.path("metadata").has("deletionTimestamp")) {
        known.resources().forEach(CustomResource::terminate);
      }
      next.put(name, known);
      served.addAll(known.resources());
    }
    if (!changed && next.keySet().equals(tracked.keySet())) {
      return;
    }
    served.sort(ORDER);
    caches.define(served);
    registry.define(served);
    listener.accept(registry.all());
    tracked = next;
  }

  /// What decides about the resources of a definition: who it is and what it says, not how it is.
  private static String state(ObjectNode definition) {
    JsonNode metadata = definition.path("metadata");
    return Json.textOr(metadata, "", "uid")
        + "/"
        + metadata.path("generation").asLong(0)
        + "/"
        + definition.path("status").path("acceptedNames");
  }

  private List<CustomResource> resources(ObjectNode object) {
    List<CustomResource> resources = new ArrayList<>();
    Definition definition = Definition.of(object);
    if (isTaken(definition)) {
      log.atWarn()
          .addKeyValue("definition", definition.name())
          .log("the server itself serves a resource of that name, so the definition has no effect");
      return resources;
    }
    Conversion conversion = conversions.apply(definition);
    for (CustomVersion version : definition.versions()) {
      if (version.served()) {
        resources.add(new CustomResource(definition, version, conversion));
      }
    }
    return resources;
  }

  private boolean isTaken(Definition definition) {
    return registry.builtIn().stream()
        .anyMatch(
            each ->
                each.descriptor().group().equals(definition.group())
                    && each.descriptor().plural().equals(definition.plural()));
  }

  private void writeStatus(Resource definitions, ObjectNode decided) {
    String name = Json.textOr(decided, "", "metadata", "name");
    try {
      writer.updateStatus(
          definitions,
          "",
          name,
          current -> {
            JsonNode status = decided.path("status");
            ObjectNode changed = Json.child(current, "status");
            changed.set("acceptedNames", status.path("acceptedNames"));
            for (JsonNode condition : status.path("conditions")) {
              boolean unused =
                  DefinitionConditions.set(
                      current,
                      Json.textOr(condition, "", "type"),
                      Json.textOr(condition, "", "status").equals("True"),
                      Json.textOr(condition, "", "reason"),
                      Json.textOr(condition, "", "message"),
                      Json.textOr(condition, "", "lastTransitionTime"));
            }
            return current;
          });
    } catch (ApiException e) {
      if (e.status().code() != 404) {
        throw e;
      }
      // It was deleted meanwhile; its watch says so next.
      log.atDebug().addKeyValue("definition", name).log("a definition went before its status");
    }
  }
}
