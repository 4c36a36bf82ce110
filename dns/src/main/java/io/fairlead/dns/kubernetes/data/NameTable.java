package io.fairlead.dns.kubernetes.data;

import io.fairlead.dns.wire.Name;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A hash table from labels to values that is read without a lock and without making objects, by
/// the very bytes of a packet. Written by one thread.
///
/// How it works: open addressing with linear probing. An entry never changes; to change a value is
/// to put another entry into its place, to remove it is to leave a marker. When half of the places
/// are used up, a new array without markers takes over at once. A reader that still holds the old
/// array sees the state as it was.
public final class NameTable<V> {
  private record Entry<V>(byte[] key, int hash, @Nullable V value) {}

  private static final int SMALLEST = 64;

  private volatile AtomicReferenceArray<Entry<V>> places = new AtomicReferenceArray<>(SMALLEST);
  // The writer's.
  private int used;
  private int size;

  /// The value under a stretch of bytes, compared without case; null when there is none.
  public @Nullable V get(byte[] bytes, int from, int length) {
    AtomicReferenceArray<Entry<V>> array = places;
    int mask = array.length() - 1;
    int hash = spread(Name.hash(bytes, from, length));
    for (int i = hash & mask; ; i = (i + 1) & mask) {
      Entry<V> entry = array.getAcquire(i);
      if (entry == null) {
        return null;
      }
      if (entry.hash == hash
          && entry.key.length == length
          && Name.same(bytes, from, entry.key, 0, length)) {
        return entry.value;
      }
    }
  }

  public @Nullable V get(byte[] key) {
    return get(key, 0, key.length);
  }

  /// Puts a value in place of the one before, or removes that when it is null. Keeps the key, which
  /// must not change afterwards.
  public void put(byte[] key, @Nullable V value) {
    int hash = spread(Name.hash(key, 0, key.length));
    AtomicReferenceArray<Entry<V>> array = places;
    int mask = array.length() - 1;
    int i = hash & mask;
    for (Entry<V> entry = array.get(i); entry != null; entry = array.get(i)) {
      if (entry.hash == hash
          && entry.key.length == key.length
          && Name.same(key, 0, entry.key, 0, key.length)) {
        size += (value == null ? 0 : 1) - (entry.value == null ? 0 : 1);
        array.setRelease(i, new Entry<>(entry.key, hash, value));
        return;
      }
      i = (i + 1) & mask;
    }
    if (value == null) {
      return;
    }
    array.setRelease(i, new Entry<>(key, hash, value));
    size++;
    if (++used * 2 > array.length()) {
      rebuild();
    }
  }

  private void rebuild() {
    AtomicReferenceArray<Entry<V>> old = places;
    int capacity = SMALLEST;
    while (capacity < size * 3) {
      capacity *= 2;
    }
    AtomicReferenceArray<Entry<V>> array = new AtomicReferenceArray<>(capacity);
    used = 0;
    for (int k = 0; k < old.length(); k++) {
      Entry<V> entry = old.get(k);
      if (entry != null && entry.value != null) {
        int i = entry.hash & (capacity - 1);
        while (array.getPlain(i) != null) {
          i = (i + 1) & (capacity - 1);
        }
        array.setPlain(i, entry);
        used++;
      }
    }
    places = array;
  }

  /// Every value, in no order. Costs a pass over the whole table.
  public void forEach(Consumer<V> visitor) {
    AtomicReferenceArray<Entry<V>> array = places;
    for (int i = 0; i < array.length(); i++) {
      Entry<V> entry = array.getAcquire(i);
      if (entry != null && entry.value != null) {
        visitor.accept(entry.value);
      }
    }
  }

  public int size() {
    return size;
  }

  private static int spread(int hash) {
    int mixed = hash * 0x9e3779b9;
    return mixed ^ mixed >>> 15;
  }
}
