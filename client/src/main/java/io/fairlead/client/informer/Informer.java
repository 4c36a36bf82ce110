package io.fairlead.client.informer;

import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.RawObject;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Tasks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// A local copy of all objects of one kind, shared by all components of a process that read that
/// kind.
///
/// One loop follows the server, changes the copy and then calls the handlers, each of them for
/// every change and in order. Reading is safe from any thread. One lock guards the copy and the
/// calls, so a handler that joins late gets every object exactly once.
///
/// Components that keep something else of the same objects take a [view][#view]: it has a copy,
/// indexes and handlers of its own, and is fed by the same loop from the same watch.
///
/// @param <T> what is kept of an object; best a record of the fields that are acted on
public final class Informer<T extends HasMetadata> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Informer.class);

  private record Waiter(String version, CompletableFuture<Void> done) {}

  private final ListWatch source;
  private final Function<RawObject, T> decode;
  // Empty in a view, which another informer feeds.
  private final Optional<Reflector> reflector;
  // The own copy and those of the views; fixed by the start.
  private final List<StateSink> fed = new ArrayList<>();
  private final CountDownLatch synced = new CountDownLatch(1);
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock.
  private final ObjectStore<T> store = new ObjectStore<>();
  private final List<ChangeHandler<T>> handlers = new ArrayList<>();
  private final List<Waiter> waiters = new ArrayList<>();
  private String version = "";
  private @Nullable SupervisedLoop loop;

  public Informer(ListWatch source, Function<ObjectNode, T> decode, TimingSources pacing) {
    this(pacing, source, body -> decode.apply(body.tree()));
  }

  private Informer(TimingSources pacing, ListWatch source, Function<RawObject, T> decode) {
    this.source = source;
    this.decode = decode;
    this.fed.add(new Copy());
    this.reflector = Optional.of(new Reflector(source, new FanoutStateSink(fed), pacing));
  }

  private Informer(ListWatch source, Function<RawObject, T> decode) {
    this.source = source;
    this.decode = decode;
    this.reflector = Optional.empty();
  }

  /// One for very many objects, of which little is kept.
  ///
  /// @param read what is kept, read from the tokens of an object
  public static <T extends HasMetadata> Informer<T> reading(
      ListWatch source, Function<JsonParser, T> read, TimingSources pacing) {
    return new Informer<>(pacing, source, body -> body.read(read));
  }

  /// One that is given objects as the server sent them, and reads tokens or trees.
  public static <T extends HasMetadata> Informer<T> decoding(
      ListWatch source, Function<RawObject, T> decode, TimingSources pacing) {
    return new Informer<>(pacing, source, decode);
  }

  /// Another copy of the same objects, of which other things are kept. It starts and stops with
  /// this one, so that every object is fetched once for both; views that read trees share one.
  ///
  /// @throws IllegalStateException when this informer is started, or is a view itself
  public <V extends HasMetadata> Informer<V> view(Function<ObjectNode, V> decodeView) {
    return viewDecoding(body -> decodeView.apply(body.tree()));
  }

  /// A view that is given objects as the server sent them, and reads tokens or trees.
  public <V extends HasMetadata> Informer<V> viewDecoding(Function<RawObject, V> decodeView) {
    Informer<V> view = new Informer<>(source, decodeView);
    locked(
        () -> {
          if (loop != null || reflector.isEmpty()) {
            throw new IllegalStateException("too late for a view of " + source);
          }
          fed.add(view.copy());
        });
    return view;
  }

  private StateSink copy() {
    return new Copy();
  }

  /// Lets objects be found by values computed from them. Values must depend on the object alone.
  public void addIndex(String name, Function<T, Collection<String>> values) {
    locked(() -> store.addIndex(name, values));
  }

  /// Adds a handler and calls it at once for all objects present.
  public void onChange(ChangeHandler<T> handler) {
    locked(
        () -> {
          handlers.add(handler);
          tellAll(handler, store.all(), true);
        });
  }

  /// Begins to follow the server. Once only, and not for a view.
  public void start() {
    locked(
        () -> {
          if (loop != null) {
            throw new IllegalStateException("already started");
          }
          Reflector own =
              reflector.orElseThrow(
                  () -> new IllegalStateException("a view starts with what it is a view of"));
          SupervisedLoop following = own.loop();
          loop = following;
          following.start();
        });
  }

  /// Whether the state has been fetched once and all handlers have it.
  public boolean hasSynced() {
    return synced.getCount() == 0;
  }

  /// Waits for that. Work on a half-full copy would take what is not yet seen for gone.
  public void awaitSync() throws InterruptedException {
    synced.await();
  }

  public Optional<T> get(ObjectKey key) {
    return reading(() -> store.get(key));
  }

  /// All objects now.
  public List<T> list() {
    return reading(store::all);
  }

  /// The objects an index holds under a value, in key order.
  public List<T> find(String index, String value) {
    return reading(() -> store.find(index, value));
  }

  /// The version up to which this copy is complete; empty before the first state.
  public String version() {
    return reading(() -> version);
  }

  /// Is done when this copy shows that version or a later one: for a controller that must see its
  /// own write before it acts again.
  public CompletableFuture<Void> reached(String wanted) {
    return reading(
        () -> {
          if (!version.isEmpty() && ResourceVersions.compare(version, wanted) >= 0) {
            return CompletableFuture.completedFuture(null);
          }
          Waiter waiter = new Waiter(wanted, new CompletableFuture<>());
          waiters.add(waiter);
          return waiter.done();
        });
  }

  /// Stops following and waits for the thread. What was seen stays readable. Idempotent; for a view
  /// it does nothing.
  @Override
  public void close() {
    reflector.ifPresent(Reflector::close);
    reading(() -> Optional.ofNullable(loop)).ifPresent(SupervisedLoop::close);
  }

  /// Follows the server on the calling thread, for simulations.
  void runHere() {
    reflector.orElseThrow().runHere();
  }

  /// What the reflector writes to.
  private final class Copy implements StateSink {
    // The state as it comes in: handed over as a whole, so that no handler sees half of it. Only
    // what is
    // kept of each object: whole ones would need ten times the memory until all are there.
    private LinkedHashMap<ObjectKey, T> state = new LinkedHashMap<>();

    @Override
    public void begin() {
      state = new LinkedHashMap<>();
    }

    @Override
    public void item(RawObject object) {
      T now = decode.apply(object);
      state.put(now.metadata().key(), now);
    }

    @Override
    public void without(ObjectNode object) {
      state.remove(ObjectKey.of(object));
    }

    @Override
    public void complete(String reached) {
      locked(
          () -> {
            boolean first = !hasSynced();
            if (store.isEmpty()) {
              store.fill(state);
              handlers.forEach(handler -> tellAll(handler, state.values(), first));
            } else {
              replace(first);
            }
            move(reached);
            synced.countDown();
          });
      state = new LinkedHashMap<>();
    }

    private void replace(boolean first) {
      Set<ObjectKey> gone = new HashSet<>(store.keys());
      for (T now : state.values()) {
        gone.remove(now.metadata().key());
        put(now, first);
      }
      for (ObjectKey key : gone) {
        store.remove(key).ifPresent(last -> tellAll(h -> h.deleted(last, true)));
      }
    }

    @Override
    public void change(RawObject object, String reached) {
      locked(
          () -> {
            put(decode.apply(object), false);
            move(reached);
          });
    }

    @Override
    public void remove(RawObject object, String reached) {
      T last = decode.apply(object);
      locked(
          () -> {
            store
                .remove(last.metadata().key())
                .ifPresent(_ -> tellAll(h -> h.deleted(last, false)));
            move(reached);
          });
    }

    @Override
    public void advance(String reached) {
      locked(() -> move(reached));
    }

    private void put(T now, boolean initial) {
      Optional<T> known = store.get(now.metadata().key());
      if (known.isEmpty()) {
        store.put(now);
        tellAll(h -> h.added(now, initial));
      } else if (isNewer(now, known.get())) {
        store.put(now);
        tellAll(h -> h.updated(known.get(), now));
      }
    }

    private boolean isNewer(T now, T known) {
      return !now.metadata().resourceVersion().equals(known.metadata().resourceVersion());
    }
  }

  private void move(String reached) {
    version = reached;
    for (Iterator<Waiter> each = waiters.iterator(); each.hasNext(); ) {
      Waiter waiter = each.next();
      if (ResourceVersions.compare(reached, waiter.version()) >= 0) {
        each.remove();
        // On another thread, so that what depends on it does not run under this lock.
        waiter.done().completeAsync(() -> null, ready -> Tasks.start("informer-wait", ready::run));
      }
    }
  }

  /// Tells of very many new objects, without making a lambda for each.
  private void tellAll(ChangeHandler<T> handler, Collection<T> objects, boolean initial) {
    for (T object : objects) {
      try {
        handler.added(object, initial);
      } catch (RuntimeException e) {
        failed(e);
      }
    }
  }

  private void tellAll(Consumer<ChangeHandler<T>> event) {
    handlers.forEach(handler -> tell(handler, event));
  }

  private void tell(ChangeHandler<T> handler, Consumer<ChangeHandler<T>> event) {
    try {
      event.accept(handler);
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private void failed(RuntimeException e) {
    log.atError().addKeyValue("resource", source).setCause(e).log("a handler failed");
  }

  private void locked(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  private interface Reading<R> {
    R read();
  }

  private <R> R reading(Reading<R> work) {
    lock.lock();
    try {
      return work.read();
    } finally {
      lock.unlock();
    }
  }
}
