package io.fairlead.client.testing;

import io.fairlead.api.json.Json;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.LineStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A watch of the fake: lines ready from the start, then the changes as they happen.
public final class FakeLines implements LineStream {
  private final FakeStore store;
  private final int code;
  private final ResourceType type;
  private final String namespace;
  private final Predicate<JsonNode> selector;
  // All below are guarded by the store's lock.
  private final Deque<byte[]> ready = new ArrayDeque<>();
  private int position;
  private boolean ended;
  private boolean closed;

  FakeLines(
      FakeStore store,
      int code,
      ResourceType type,
      String namespace,
      Predicate<JsonNode> selector,
      int position) {
    this.store = store;
    this.code = code;
    this.type = type;
    this.namespace = namespace;
    this.selector = selector;
    this.position = position;
  }

  @Override
  public int code() {
    return code;
  }

  static byte[] event(String type, ObjectNode object) {
    return Json.bytes(Json.object().put("type", type).set("object", object));
  }

  void line(byte[] line) {
    ready.add(line);
  }

  void bookmark(boolean initialEventsEnd) {
    collect();
    ObjectNode object = Json.object().put("kind", type.kind()).put("apiVersion", type.apiVersion());
    ObjectNode metadata =
        object.putObject("metadata").put("resourceVersion", Long.toString(store.revision()));
    if (initialEventsEnd) {
      metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
    }
    line(event("BOOKMARK", object));
  }

  boolean isOver() {
    return closed || ended;
  }

  boolean shows(ResourceType resource) {
    return type.equals(resource);
  }

  void end() {
    ended = true;
    store.changed.signalAll();
  }

  /// Sends a bookmark that stands for all changes so far.
  public void sendBookmark() {
    store.lock.lock();
    try {
      bookmark(false);
      store.changed.signalAll();
    } finally {
      store.lock.unlock();
    }
  }

  /// The next line if there is one now. Empty also at the end of the stream.
  public Optional<byte[]> poll() {
    store.lock.lock();
    try {
      failWhenClosed();
      collect();
      return Optional.ofNullable(ready.poll());
    } finally {
      store.lock.unlock();
    }
  }

  @Override
  public Optional<byte[]> next() {
    store.lock.lock();
    try {
      while (true) {
        failWhenClosed();
        collect();
        if (!ready.isEmpty()) {
          return Optional.of(ready.remove());
        }
        if (ended) {
          return Optional.empty();
        }
        store.changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectionException("interrupted", e);
    } finally {
      store.lock.unlock();
    }
  }

  @Override
  public void close() {
    store.lock.lock();
    try {
      closed = true;
      store.changed.signalAll();
    } finally {
      store.lock.unlock();
    }
  }

  private void failWhenClosed() {
    if (closed) {
      throw new ConnectionException("the stream was closed");
    }
  }

  private void collect() {
    if (ended) {
      return;
    }
    for (Optional<FakeStore.Change> at = store.change(position);
        at.isPresent();
        at = store.change(position)) {
      position++;
      offer(at.get());
    }
  }

  private void offer(FakeStore.Change change) {
    ObjectNode before = change.before();
    ObjectNode after = change.after();
    boolean was = before != null && shows(change.type(), before);
    boolean is = after != null && shows(change.type(), after);
    if (is && after != null) {
      line(event(was ? "MODIFIED" : "ADDED", after));
    } else if (was && before != null) {
      ObjectNode last = before.deepCopy();
      ((ObjectNode) last.get("metadata")).put("resourceVersion", Long.toString(change.revision()));
      line(event("DELETED", last));
    }
  }

  private boolean shows(ResourceType changedType, ObjectNode object) {
    return changedType.equals(type)
        && (namespace.isEmpty() || namespace.equals(Json.text(object, "metadata", "namespace")))
        && selector.test(object);
  }
}
