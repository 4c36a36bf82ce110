package io.fairlead.client.testing;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The objects of the fake, each change numbered. All methods are called with the lock held.
final class FakeStore {
  /// What one revision did to one object.
  record Change(
      long revision, ResourceType type, @Nullable ObjectNode before, @Nullable ObjectNode after) {}

  private record Address(String type, ObjectKey key) implements Comparable<Address> {
    private static final Comparator<Address> ORDER =
        Comparator.comparing(Address::type)
            .thenComparing(address -> address.key().namespace())
            .thenComparing(address -> address.key().name());

    @Override
    public int compareTo(Address other) {
      return ORDER.compare(this, other);
    }
  }

  /// An object and, once a watch has sent it, its line: a state is read again and again.
  private static final class Held {
    private final ObjectNode object;
    private byte @Nullable [] added;

    Held(ObjectNode object) {
      this.object = object;
    }

    byte[] added() {
      byte[] line = added;
      if (line == null) {
        line = FakeLines.event("ADDED", object);
        added = line;
      }
      return line;
    }
  }

  final ReentrantLock lock = new ReentrantLock();
  final Condition changed = lock.newCondition();
  private final TreeMap<Address, Held> objects = new TreeMap<>();
  private final List<Change> history = new ArrayList<>();
  private long revision = 1;
  private long compacted;

  long revision() {
    return revision;
  }

  /// Changes at or before this one are forgotten.
  long compacted() {
    return compacted;
  }

  Optional<ObjectNode> get(ResourceType type, ObjectKey key) {
    return Optional.ofNullable(objects.get(new Address(type.toString(), key)))
        .map(held -> held.object);
  }

  /// All objects of a kind in key order; of one namespace unless it is empty.
  List<ObjectNode> list(ResourceType type, String namespace) {
    return held(type, namespace).map(held -> held.object).toList();
  }

  /// The lines of a watch for the selected ones.
  List<byte[]> added(ResourceType type, String namespace, Predicate<JsonNode> selector) {
    return held(type, namespace)
        .filter(held -> selector.test(held.object))
        .map(Held::added)
        .toList();
  }

  private Stream<Held> held(ResourceType type, String namespace) {
    String name = type.toString();
    return objects.entrySet().stream()
        .filter(
            entry ->
                entry.getKey().type().equals(name)
                    && (namespace.isEmpty() || entry.getKey().key().namespace().equals(namespace)))
        .map(Map.Entry::getValue);
  }

  ObjectNode put(ResourceType type, ObjectNode object) {
    Address address = new Address(type.toString(), ObjectKey.of(object));
    ObjectNode stamped = stamp(object);
    Held before = objects.put(address, new Held(stamped));
    record(new Change(revision, type, before == null ? null : before.object, stamped));
    return stamped;
  }

  ObjectNode remove(ResourceType type, ObjectKey key) {
    Held before = objects.remove(new Address(type.toString(), key));
    if (before == null) {
      throw new IllegalStateException("no " + type + " " + key);
    }
    ObjectNode last = stamp(before.object);
    record(new Change(revision, type, last, null));
    return last;
  }

  /// The change at a position that only grows; empty when it has not happened yet.
  Optional<Change> change(int position) {
    return position < history.size() ? Optional.of(history.get(position)) : Optional.empty();
  }

  /// The position of the first change after a revision.
  int positionAfter(long version) {
    int position = history.size();
    while (position > 0 && history.get(position - 1).revision() > version) {
      position--;
    }
    return position;
  }

  /// Moves the revision on without changing anything, as writes of other kinds do.
  void skipRevision() {
    revision++;
  }

  /// Forgets the history so far; watches that run already still get what is in it.
  void compact() {
    compacted = revision;
  }

  private ObjectNode stamp(ObjectNode object) {
    ObjectNode copy = object.deepCopy();
    ((ObjectNode) copy.get("metadata")).put("resourceVersion", Long.toString(++revision));
    return copy;
  }

  private void record(Change change) {
    history.add(change);
    changed.signalAll();
  }
}
