package io.fairlead.dns.kubernetes.data;

import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.ReflectorRunner;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.work.Backoff;
import io.fairlead.work.SupervisedLoop;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The cluster as names see it, kept up to date.
///
/// Reflectors follow the API server and queue what changed; one thread compiles it and is the only
/// writer of the tables. While the API server is unreachable the last state keeps being served.
public final class ClusterData implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ClusterData.class);
  private static final ResourceType SERVICES =
      new ResourceType("", "v1", "services", "Service", true);
  private static final ResourceType SLICES =
      new ResourceType("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);
  private static final String LIVE_PODS =
      "status.phase!=Succeeded,status.phase!=Failed,status.phase!=Unknown";
  private static final long UNSYNCED_TICK = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long TICK = TimeUnit.SECONDS.toNanos(1);
  // Servers send a bookmark about once a minute.
  private static final long SILENCE = TimeUnit.SECONDS.toNanos(150);
  // Short, because changes of all other objects wait meanwhile.
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));
  private static final long WARN_EVERY = TimeUnit.MINUTES.toNanos(1);

  private final DataOptions options;
  private final Client client;
  private final TimingSources pacing;
  private final InstantSource clock;
  private final DataObserver observer;
  private final ClusterTables tables = new ClusterTables();
  private final CompileQueue inputs = new CompileQueue();
  private final List<ReflectorRunner> followers = new ArrayList<>();
  private final List<CompileQueue.Sink<?>> sinks = new ArrayList<>();
  private final List<LastContactSource> sources = new ArrayList<>();
  private final @Nullable SnapshotWriter snapshots;
  private final TruncationWarnings truncationWarnings;
  private final SupervisedLoop compiler;
  private long warnedAt;
  private volatile long serial;
  private volatile long generation;
  private volatile boolean synced;

  /// Begins to follow the API at once. Owns the client.
  public ClusterData(
      Client client,
      DataOptions options,
      TimingSources pacing,
      InstantSource clock,
      DataObserver observer) {
    this.client = client;
    this.options = options;
    this.pacing = pacing;
    this.clock = clock;
    this.observer = observer;
    this.serial = clock.instant().getEpochSecond();
    FactReader reader = new FactReader(options);
    follow(
        ResourceType.NAMESPACES,
        options.namespaceSelector(),
        "",
        inputs.namespaces(reader::namespace));
    follow(SERVICES, options.selector(), "", inputs.services(reader::service));
    if (!options.noEndpoints()) {
      follow(SLICES, options.selector(), "", inputs.slices(reader::slice));
    }
    if (options.pods()) {
      follow(ResourceType.PODS, options.selector(), LIVE_PODS, inputs.pods(reader::pod));
    }
    truncationWarnings = new TruncationWarnings(client, clock, pacing.ticker());
    snapshots =
        options.snapshot().isEmpty()
            ? null
            : new SnapshotWriter(Path.of(options.snapshot()), inputs);
    if (snapshots != null) {
      snapshots.load();
    }
    followers.forEach(ReflectorRunner::start);
    compiler = SupervisedLoop.of("dns-compiler").backoff(BACKOFF).start(this::compile);
  }

  private void follow(ResourceType type, String labels, String fields, CompileQueue.Sink<?> sink) {
    LastContactSource source =
        new LastContactSource(
            ListWatchFactory.selected(client, type, "", labels, fields), pacing.ticker());
    sources.add(source);
    sinks.add(sink);
    followers.add(new ReflectorRunner(source, sink, pacing));
  }

  public DataOptions options() {
    return options;
  }

  public ClusterTables tables() {
    return tables;
  }

  /// All Services with names that may be seen, by namespace and name.
  public List<ServiceSnapshot> snapshot() {
    List<ServiceSnapshot> all = new ArrayList<>();
    tables.forEachService(
        each -> {
          CompiledService compiled = each.visible();
          if (compiled != null && !compiled.hidden()) {
            all.add(new ServiceSnapshot(compiled, inputs.service(compiled.key()).slices()));
          }
        });
    all.sort(
        Comparator.comparing((ServiceSnapshot each) -> each.compiled().key().namespace())
            .thenComparing(each -> each.compiled().key().name()));
    return all;
  }

  /// Whether the whole state was seen and compiled once.
  public boolean synced() {
    return synced;
  }

  /// The second of the last change that changed an answer.
  public long serial() {
    return serial;
  }

  /// Rises after every change: what was read before is still right while it stays.
  public long generation() {
    return generation;
  }

  /// The time since the last contact with the server, in nanoseconds: the oldest of all watches.
  public long age() {
    long now = pacing.ticker().nanos();
    return sources.stream().mapToLong(source -> now - source.heardAt()).max().orElse(0);
  }

  /// Whether all watches are open.
  public boolean connected() {
    return sources.stream().allMatch(LastContactSource::connected);
  }

  /// Services of which no transport can carry all records of one name.
  public int oversized() {
    return truncationWarnings.count();
  }

  /// Slices that are left out because they hold names.
  public int ignoredSlices() {
    return inputs.ignoredSlices();
  }

  /// One round. An object that cannot be compiled holds up no other one; the queue takes it back
  /// and the next round tries it again.
  private void compile() throws InterruptedException {
    boolean complete = sinks.stream().allMatch(CompileQueue.Sink::complete);
    CompileQueue.Batch batch = inputs.take(synced ? TICK : UNSYNCED_TICK);
    RuntimeException failure = batch.isEmpty() ? null : apply(batch);
    if (!synced && complete && inputs.clean()) {
      synced = true;
    }
    if (failure != null) {
      inputs.putBack(batch);
      throw failure;
    }
    checkWatches();
    if (snapshots != null && synced) {
      snapshots.tick(pacing.ticker().nanos());
    }
  }

  /// Applies all entries and leaves those in the batch that failed.
  private @Nullable RuntimeException apply(CompileQueue.Batch batch) {
    BatchResult result = new BatchResult();
    result.apply(
        batch.namespaces(),
        each -> {
          tables.namespace(each.getKey(), each.getValue() && exposed(each.getKey()));
          return true;
        });
    result.apply(
        batch.pods(),
        each -> {
          PodFacts pod = each.getValue();
          return tables.pod(each.getKey(), pod == null ? List.of() : pod.addresses());
        });
    result.apply(batch.services(), each -> service(each.getKey(), each.getValue()));
    if (result.changed && snapshots != null) {
      snapshots.changed();
    }
    if (result.changed) {
      serial = clock.instant().getEpochSecond();
      changed();
    }
    return result.failure;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private void changed() {
    generation++;
  }

  /// What applying a batch came to.
  private static final class BatchResult {
    private boolean changed;
    private @Nullable RuntimeException failure;

    <K, V extends @Nullable Object> void apply(Map<K, V> entries, Predicate<Map.Entry<K, V>> work) {
      for (Iterator<Map.Entry<K, V>> all = entries.entrySet().iterator(); all.hasNext(); ) {
        try {
          changed |= work.test(all.next());
          all.remove();
        } catch (RuntimeException e) {
          failure = failure == null ? e : failure;
        }
      }
    }
  }

  private boolean service(ObjectKey key, long changedAt) {
    if (key.name().isEmpty()) {
      return false;
    }
    CompileQueue.ServiceInput input = inputs.service(key);
    DnsServiceFacts facts = input.service();
    CompiledService now = facts == null ? null : CompiledService.of(facts, input.slices(), options);
    boolean changed = tables.service(key, now);
    if (changed) {
      truncationWarnings.check(key, now);
    }
    if (changed && changedAt > 0) {
      long passed = Math.max(0, clock.instant().toEpochMilli() - changedAt);
      observer.programmed(facts != null && facts.kind() == DnsServiceFacts.Kind.HEADLESS, passed);
    }
    return changed;
  }

  private boolean exposed(String namespace) {
    return options.namespaces().isEmpty() || options.namespaces().contains(namespace);
  }

  /// A watch may die unnoticed: nothing comes, nothing fails. Silence beyond bookmarks ends it.
  private void checkWatches() {
    long now = pacing.ticker().nanos();
    for (LastContactSource source : sources) {
      if (source.connected() && now - source.heardAt() > SILENCE) {
        log.atWarn()
            .addKeyValue("resource", source)
            .log("no event or bookmark for long, opening a new watch");
        source.hangUp();
      }
    }
    if (!connected() && now - warnedAt > WARN_EVERY) {
      if (warnedAt != 0) {
        log.atWarn()
            .addKeyValue("ageSeconds", TimeUnit.NANOSECONDS.toSeconds(age()))
            .log("the API server is away, answering from what is known");
      }
      warnedAt = now;
    }
  }

  @Override
  public void close() {
    followers.forEach(ReflectorRunner::close);
    compiler.close();
    if (snapshots != null && synced) {
      snapshots.save();
    }
    truncationWarnings.close();
    client.close();
  }
}
