package io.fairlead.bench.endpoints;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.WatchEvent;
import io.fairlead.client.WatchOptions;
import io.fairlead.client.WatchStream;
import io.fairlead.client.transport.ConnectionException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Follows slices or Endpoints as a node does: what came, how much of it, and when an endpoint was
/// first seen in a state.
final class Watcher implements AutoCloseable {
  /// @param needed bytes of writes that changed an endpoint
  record Traffic(int writes, long bytes, long needed) {
    Traffic minus(Traffic before) {
      return new Traffic(writes - before.writes, bytes - before.bytes, needed - before.needed);
    }
  }

  private final WatchStream stream;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock.
  private final Map<ObjectKey, JsonNode> contents = new HashMap<>();
  private final Map<String, String> states = new HashMap<>();
  private int writes;
  private long bytes;
  private long needed;

  Watcher(Client client, ResourceType type) {
    String version = client.listAll(type, "default", ListOptions.ALL, object -> see(object, false));
    stream = client.watch(type, "default", WatchOptions.from(version, Duration.ofMinutes(30)));
    thread = Thread.ofVirtual().name("watcher-" + type).start(this::follow);
  }

  private void follow() {
    try {
      for (Optional<WatchEvent> next = stream.next(); next.isPresent(); next = stream.next()) {
        switch (next.get()) {
          case WatchEvent.Changed(ObjectNode object) -> see(object, true);
          case WatchEvent.Removed(ObjectNode object) -> forget(object);
          case WatchEvent.Bookmark _, WatchEvent.Failed _ -> {}
        }
      }
    } catch (ConnectionException _) {
      // Closed.
    }
  }

  private void see(ObjectNode object, boolean counts) {
    lock.lock();
    try {
      JsonNode content = object.has("subsets") ? object.path("subsets") : object.path("endpoints");
      JsonNode before = contents.put(ObjectKey.of(object), content);
      if (counts) {
        int size = Json.bytes(object).length;
        writes++;
        bytes += size;
        needed += content.equals(before) ? 0 : size;
      }
      for (JsonNode endpoint : object.path("endpoints")) {
        states.put(
            Json.textOr(endpoint, "", "targetRef", "name"),
            endpoint.path("conditions").path("ready").asBoolean(false) ? "ready" : "unready");
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void forget(ObjectNode object) {
    lock.lock();
    try {
      contents.remove(ObjectKey.of(object));
      writes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits until a pod is shown in that state.
  void await(String pod, String state) throws InterruptedException {
    waitFor(() -> state.equals(states.get(pod)), pod + " " + state);
  }

  /// Waits until so many endpoints are shown.
  void awaitEndpoints(int count) throws InterruptedException {
    waitFor(
        () -> contents.values().stream().mapToInt(JsonNode::size).sum() == count,
        count + " endpoints");
  }

  private interface Reached {
    boolean holds();
  }

  private void waitFor(Reached reached, String what) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.MINUTES.toNanos(5);
      while (!reached.holds()) {
        if (left <= 0) {
          throw new IllegalStateException("never seen: " + what);
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  Traffic traffic() {
    lock.lock();
    try {
      return new Traffic(writes, bytes, needed);
    } finally {
      lock.unlock();
    }
  }

  int objects() {
    lock.lock();
    try {
      return contents.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    stream.close();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
