package io.fairlead.client.informer;

import io.fairlead.api.selector.FieldSelector;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectPage;
import io.fairlead.client.ResourceType;
import io.fairlead.client.WatchStream;
import io.fairlead.client.WatchStreamEvent;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One watch for each resource in a process, however many components follow it.
///
/// How it works: components keep their reflectors, selectors and identities. Each fetches the state
/// itself, as it needs it; the changes after that come from one watch of all objects of the
/// resource, whose events are handed to every component that follows it. What a component's
/// selectors leave out reaches it as a deletion, as a server sends it. When the watch fails, all of
/// them see the failure, and the first that comes back opens it again.
///
/// Safe for all threads. A component takes part by a client [that shares][Client#sharing].
public final class SharedWatches implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SharedWatches.class);

  private final Client client;
  private final Set<ResourceType> types;
  private final Map<ResourceType, ResourceWatchHub> hubs = new ConcurrentHashMap<>();

  /// @param client may read all objects of these types; stays the caller's
  /// @param types the others are watched by each component itself
  public SharedWatches(Client client, Set<ResourceType> types) {
    this.client = client;
    this.types = Set.copyOf(types);
  }

  boolean covers(ResourceType type) {
    return types.contains(type);
  }

  /// @param direct the same objects, asked of the server by the component itself
  ListWatch of(ResourceType type, String labelSelector, String fieldSelector, ListWatch direct) {
    ResourceWatchHub hub =
        hubs.computeIfAbsent(
            type, one -> new ResourceWatchHub(ListWatchFactory.unshared(client, one)));
    return new Shared(
        direct,
        hub,
        new ObjectFilter(LabelSelector.parse(labelSelector), FieldSelector.parse(fieldSelector)));
  }

  /// Ends all watches. Idempotent.
  @Override
  public void close() {
    hubs.values().forEach(ResourceWatchHub::close);
  }

  private record Shared(ListWatch direct, ResourceWatchHub hub, ObjectFilter filter)
      implements ListWatch {
    @Override
    public ObjectPage list(String version, int limit, String continueToken) {
      return direct.list(version, limit, continueToken);
    }

    @Override
    public WatchStream watch(String version, boolean initialEvents, Duration timeout) {
      return initialEvents
          ? new Joining(direct.watch(version, true, timeout), hub, filter)
          : hub.subscribe(version, filter);
    }

    @Override
    public ListWatch unshared() {
      return direct;
    }

    @Override
    public String toString() {
      return direct.toString();
    }
  }

  /// The state from a stream of its own, and behind it the changes from the hub.
  private static final class Joining implements WatchStream {
    private final ResourceWatchHub hub;
    private final ObjectFilter filter;
    // Guarded by this.
    private WatchStream current;
    private boolean closed;
    // Of the reading thread.
    private boolean joined;

    Joining(WatchStream state, ResourceWatchHub hub, ObjectFilter filter) {
      this.current = state;
      this.hub = hub;
      this.filter = filter;
    }

    @Override
    public Optional<WatchStreamEvent> next() {
      Optional<WatchStreamEvent> event = current().next();
      if (!joined
          && event.isPresent()
          && event.get() instanceof WatchStreamEvent.Bookmark(String version, boolean end)
          && end) {
        joined = true;
        join(version);
      }
      return event;
    }

    private synchronized WatchStream current() {
      return current;
    }

    private void join(String version) {
      WatchStream changes;
      try {
        changes = hub.subscribe(version, filter);
      } catch (ApiException e) {
        // The hub began a little later. This stream goes on with the changes until it ends; the
        // next one is the hub's.
        log.atDebug().addKeyValue("why", e.getMessage()).log("watch not shared");
        return;
      }
      WatchStream state;
      boolean late;
      synchronized (this) {
        state = current;
        current = changes;
        late = closed;
      }
      state.close();
      if (late) {
        changes.close();
      }
    }

    @Override
    public void close() {
      WatchStream stream;
      synchronized (this) {
        closed = true;
        stream = current;
      }
      stream.close();
    }
  }
}
