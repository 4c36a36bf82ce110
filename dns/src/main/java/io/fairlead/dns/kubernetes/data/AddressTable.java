package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.net.IpAddress;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A hash table from addresses to values, as [NameTable] is for names: read without a lock, written
/// by one thread.
public final class AddressTable<V> {
  private record Entry<V>(IpAddress address, @Nullable V value) {}

  private static final int SMALLEST = 64;

  private volatile AtomicReferenceArray<Entry<V>> places = new AtomicReferenceArray<>(SMALLEST);
  // The writer's.
  private int used;
  private int size;

  public @Nullable V get(IpAddress address) {
    AtomicReferenceArray<Entry<V>> array = places;
    int mask = array.length() - 1;
    for (int i = hash(address) & mask; ; i = (i + 1) & mask) {
      Entry<V> entry = array.getAcquire(i);
      if (entry == null) {
        return null;
      }
      if (entry.address.equals(address)) {
        return entry.value;
      }
    }
  }

  /// Puts a value in place of the one before, or removes that when it is null.
  public void put(IpAddress address, @Nullable V value) {
    AtomicReferenceArray<Entry<V>> array = places;
    int mask = array.length() - 1;
    int i = hash(address) & mask;
    for (Entry<V> entry = array.get(i); entry != null; entry = array.get(i)) {
      if (entry.address.equals(address)) {
        size += (value == null ? 0 : 1) - (entry.value == null ? 0 : 1);
        array.setRelease(i, new Entry<>(entry.address, value));
        return;
      }
      i = (i + 1) & mask;
    }
    if (value == null) {
      return;
    }
    array.setRelease(i, new Entry<>(address, value));
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
        int i = hash(entry.address) & (capacity - 1);
        while (array.getPlain(i) != null) {
          i = (i + 1) & (capacity - 1);
        }
        array.setPlain(i, entry);
        used++;
      }
    }
    places = array;
  }

  /// Every address with its value, in no order. Costs a pass over the whole table.
  public void forEach(BiConsumer<IpAddress, V> visitor) {
    AtomicReferenceArray<Entry<V>> array = places;
    for (int i = 0; i < array.length(); i++) {
      Entry<V> entry = array.getAcquire(i);
      if (entry != null && entry.value != null) {
        visitor.accept(entry.address, entry.value);
      }
    }
  }

  public int size() {
    return size;
  }

  private static int hash(IpAddress address) {
    long mixed = (address.low() ^ address.high() * 31) * 0x9e3779b97f4a7c15L;
    return (int) (mixed >>> 32);
  }
}
