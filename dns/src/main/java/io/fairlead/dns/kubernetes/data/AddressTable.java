package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.net.IpAddress;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A hash table from addresses to values, read without a lock, written by one thread.
///
/// How it works: one half for each family, so that an IPv4 address takes eight bytes and a
/// reference. Open addressing with linear probing; a place belongs to its address for as long as
/// its array lives, so a reader that sees a value may trust the key beside it. A value that is
/// taken out leaves a mark, and an array half full of values and marks is rebuilt.
public final class AddressTable<V> {
  private static final Object GONE = new Object();
  private static final int SMALLEST = 64;

  /// Keys first, then the value that makes them seen.
  ///
  /// @param high empty for IPv4
  private record Half(long[] high, long[] low, AtomicReferenceArray<@Nullable Object> values) {
    Half(boolean ipv6, int capacity) {
      this(new long[ipv6 ? capacity : 0], new long[capacity], new AtomicReferenceArray<>(capacity));
    }

    boolean holds(int place, long high, long low) {
      return this.low[place] == low && (this.high.length == 0 || this.high[place] == high);
    }

    IpAddress address(int place) {
      return high.length == 0
          ? IpAddress.ipv4(low[place])
          : IpAddress.ipv6(high[place], low[place]);
    }
  }

  private volatile Half ipv4 = new Half(false, SMALLEST);
  private volatile Half ipv6 = new Half(true, SMALLEST);
  // The writer's, by family.
  private final int[] used = new int[2];
  private final int[] size = new int[2];

  @SuppressWarnings("unchecked") // only values are put in, and the mark is not handed out
  public @Nullable V get(IpAddress address) {
    Half half = address.isIpv4() ? ipv4 : ipv6;
    int mask = half.low.length - 1;
    for (int i = hash(address.high(), address.low()) & mask; ; i = (i + 1) & mask) {
      Object value = half.values.getAcquire(i);
      if (value == null) {
        return null;
      }
      if (half.holds(i, address.high(), address.low())) {
        return GONE.equals(value) ? null : (V) value;
      }
    }
  }

  /// Puts a value in place of the one before, or removes that when it is null.
  public void put(IpAddress address, @Nullable V value) {
    int family = address.isIpv4() ? 0 : 1;
    Half half = address.isIpv4() ? ipv4 : ipv6;
    int mask = half.low.length - 1;
    int i = hash(address.high(), address.low()) & mask;
    for (Object old = half.values.get(i); old != null; old = half.values.get(i)) {
      if (half.holds(i, address.high(), address.low())) {
        size[family] += (value == null ? 0 : 1) - (GONE.equals(old) ? 0 : 1);
        half.values.setRelease(i, value == null ? GONE : value);
        return;
      }
      i = (i + 1) & mask;
    }
    if (value == null) {
      return;
    }
    if (!address.isIpv4()) {
      half.high[i] = address.high();
    }
    half.low[i] = address.low();
    half.values.setRelease(i, value);
    size[family]++;
    if (++used[family] * 3 > half.low.length * 2) {
      rebuild(half, family);
    }
  }

  private void rebuild(Half old, int family) {
    int capacity = SMALLEST;
    while (capacity < size[family] * 2) {
      capacity *= 2;
    }
    Half half = new Half(family == 1, capacity);
    used[family] = 0;
    for (int k = 0; k < old.low.length; k++) {
      Object value = old.values.get(k);
      if (value != null && !GONE.equals(value)) {
        long high = family == 1 ? old.high[k] : 0;
        int i = hash(high, old.low[k]) & (capacity - 1);
        while (half.values.getPlain(i) != null) {
          i = (i + 1) & (capacity - 1);
        }
        if (family == 1) {
          half.high[i] = high;
        }
        half.low[i] = old.low[k];
        half.values.setPlain(i, value);
        used[family]++;
      }
    }
    if (family == 1) {
      ipv6 = half;
    } else {
      ipv4 = half;
    }
  }

  /// Every address with its value, in no order. Costs a pass over the whole table.
  @SuppressWarnings("unchecked") // as in get
  public void forEach(BiConsumer<IpAddress, V> visitor) {
    for (Half half : new Half[] {ipv4, ipv6}) {
      for (int i = 0; i < half.low.length; i++) {
        Object value = half.values.getAcquire(i);
        if (value != null && !GONE.equals(value)) {
          visitor.accept(half.address(i), (V) value);
        }
      }
    }
  }

  public int size() {
    return size[0] + size[1];
  }

  private static int hash(long high, long low) {
    long mixed = (low ^ high * 31) * 0x9e3779b97f4a7c15L;
    return (int) (mixed >>> 32);
  }
}
