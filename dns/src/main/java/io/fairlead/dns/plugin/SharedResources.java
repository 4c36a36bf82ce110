package io.fairlead.dns.plugin;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/// Resources that outlive a reload: a listener's port, the cluster's data, cached answers. A plugin
/// takes one under a key that says all that matters about it; when the last plugin gives it back,
/// it is closed. Safe for any thread; makers run under its lock, one after the other.
public final class SharedResources {
  private static final class Entry {
    private final AutoCloseable thing;
    private int users;

    Entry(AutoCloseable thing) {
      this.thing = thing;
    }
  }

  /// One taking. Closing it twice is harmless.
  public static final class Handle<T extends AutoCloseable> implements AutoCloseable {
    private final SharedResources owner;
    private final String key;
    private final T thing;
    private boolean closed;

    private Handle(SharedResources owner, String key, T thing) {
      this.owner = owner;
      this.key = key;
      this.thing = thing;
    }

    public T get() {
      return thing;
    }

    @Override
    public void close() {
      owner.giveBack(this);
    }
  }

  private final Map<String, Entry> entries = new HashMap<>();

  /// Takes the resource under a key, made now if no plugin has it. The key must determine the type.
  public synchronized <T extends AutoCloseable> Handle<T> take(
      String key, Class<T> type, Supplier<T> make) {
    Entry entry = entries.get(key);
    if (entry == null) {
      entry = new Entry(make.get());
      entries.put(key, entry);
    }
    entry.users++;
    return new Handle<>(this, key, type.cast(entry.thing));
  }

  private void giveBack(Handle<?> taken) {
    AutoCloseable last = null;
    synchronized (this) {
      if (taken.closed) {
        return;
      }
      taken.closed = true;
      Entry entry = entries.get(taken.key);
      if (entry != null && --entry.users == 0) {
        entries.remove(taken.key);
        last = entry.thing;
      }
    }
    if (last != null) {
      close(last, taken.key);
    }
  }

  private static void close(AutoCloseable thing, String key) {
    try {
      thing.close();
    } catch (Exception e) {
      throw new IllegalStateException("cannot close " + key, e);
    }
  }
}
