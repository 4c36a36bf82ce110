package io.fairlead.server.cache;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.FieldSelector;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.store.CommitResult;
import io.fairlead.store.Store;
import io.fairlead.store.Write;
import io.fairlead.store.testing.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A store with one kind in it, and short words for what the tests do with it.
final class CacheFixture implements AutoCloseable {
  static final Resource THINGS = new Things();

  final MemoryStore store = new MemoryStore();
  Caches caches;

  CacheFixture() {
    caches = Caches.start(store, List.of(THINGS), 10);
  }

  /// A server that starts again on the same store.
  void restart() {
    caches.close();
    caches = Caches.start(store, List.of(THINGS), 10);
  }

  ObjectCache things() {
    return caches.of(THINGS);
  }

  /// Writes a thing with a label `app` and a field `color`.
  long put(String namespace, String name, String app, String color) {
    ObjectNode thing = Json.object().put("apiVersion", "v1").put("kind", "Thing");
    thing
        .putObject("metadata")
        .put("name", name)
        .put("namespace", namespace)
        .putObject("labels")
        .put("app", app);
    thing.putObject("spec").put("color", color);
    return commit(
        new Write.Put(
            THINGS.descriptor().key(namespace, name), ObjectCodec.encode(thing), Write.ANY));
  }

  long delete(String namespace, String name) {
    return commit(new Write.Delete(THINGS.descriptor().key(namespace, name), Write.ANY));
  }

  long commit(Write write) {
    return ((CommitResult.Committed) store.commit(List.of(write))).revision();
  }

  static SelectionPredicate where(String namespace, String labels, String fields) {
    return new SelectionPredicate(
        namespace, LabelSelector.parse(labels), FieldSelector.parse(fields));
  }

  CacheWatcher watch(String namespace, String labels, String fields, long revision) {
    return things()
        .watch(
            new WatchQuery(
                where(namespace, labels, fields), Long.toString(revision), "", null, true));
  }

  /// Takes that many events and prints them shortly: `ADDED a@7`.
  static List<String> take(CacheWatcher watcher, int count) throws InterruptedException {
    List<String> out = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      WatchEvent event = watcher.next(Duration.ofSeconds(5));
      out.add(event == null ? "nothing" : shortly(event));
    }
    return out;
  }

  static @Nullable WatchEvent poll(CacheWatcher watcher) throws InterruptedException {
    return watcher.next(Duration.ofMillis(30));
  }

  static String shortly(WatchEvent event) {
    CachedObject object = event.object();
    return event.type() + (object == null ? "" : " " + object.name() + "@" + object.revision());
  }

  static List<String> names(ListPage listing) {
    return listing.items().stream().map(CachedObject::name).toList();
  }

  @Override
  public void close() {
    caches.close();
    ((Store) store).close();
  }

  private static final class Things extends Resource {
    @Override
    public ResourceDescriptor descriptor() {
      return new ResourceDescriptor(
          "",
          "v1",
          "things",
          "thing",
          "Thing",
          true,
          List.of(),
          List.of(),
          ResourceDescriptor.ALL_VERBS,
          "/registry/things",
          "test.Thing");
    }

    @Override
    public List<String> nameProblems(String name, boolean prefix, int emulatedMinor) {
      return List.of();
    }

    @Override
    public Map<String, String> selectableFields(ObjectNode object) {
      return Map.of("spec.color", Json.textOr(object, "", "spec", "color"));
    }
  }
}
