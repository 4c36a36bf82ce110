package io.fairlead.bench.pods;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
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
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Follows pods as any client does, and notes when each was first seen ready. Guarded by its lock.
final class PodTimes implements AutoCloseable {
  private final WatchStream stream;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock.
  private final Map<String, Long> ready = new HashMap<>();
  private final Map<String, String> states = new HashMap<>();

  PodTimes(Client client) {
    String version =
        client.listAll(ResourceType.PODS, "default", ListOptions.ALL, object -> see(object));
    stream =
        client.watch(
            ResourceType.PODS, "default", WatchOptions.from(version, Duration.ofMinutes(30)));
    thread = Thread.ofVirtual().name("pods").start(this::follow);
  }

  private void follow() {
    try {
      for (Optional<WatchEvent> next = stream.next(); next.isPresent(); next = stream.next()) {
        switch (next.get()) {
          case WatchEvent.Changed(ObjectNode object) -> see(object);
          case WatchEvent.Removed(ObjectNode object) -> forget(object);
          case WatchEvent.Bookmark _, WatchEvent.Failed _ -> {}
        }
      }
    } catch (ConnectionException _) {
      // Closed.
    }
  }

  private void see(ObjectNode pod) {
    long now = System.nanoTime();
    lock.lock();
    try {
      String name = Json.textOr(pod, "", "metadata", "name");
      states.put(name, Json.at(pod, "status").toString());
      for (JsonNode condition : Json.at(pod, "status", "conditions")) {
        if (Json.textOr(condition, "", "type").equals("Ready")
            && Json.textOr(condition, "", "status").equals("True")) {
          ready.putIfAbsent(name, now);
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void forget(ObjectNode pod) {
    lock.lock();
    try {
      String name = Json.textOr(pod, "", "metadata", "name");
      states.remove(name);
      ready.remove(name);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// When a pod was first seen ready; waits for it.
  long ready(String name) throws InterruptedException {
    waitFor(() -> ready.containsKey(name), name + " ready");
    lock.lock();
    try {
      return ready.getOrDefault(name, 0L);
    } finally {
      lock.unlock();
    }
  }

  void awaitNone() throws InterruptedException {
    waitFor(states::isEmpty, "no pods");
  }

  private void waitFor(BooleanSupplier reached, String what) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.MINUTES.toNanos(3);
      while (!reached.getAsBoolean()) {
        if (left <= 0) {
          throw new IllegalStateException("never seen: " + what + ": " + states);
        }
        left = changed.awaitNanos(left);
      }
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
