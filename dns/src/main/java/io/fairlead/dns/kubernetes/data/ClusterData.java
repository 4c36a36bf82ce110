package io.fairlead.dns.kubernetes.data;

import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Follower;
import io.fairlead.client.informer.ListWatches;
import io.fairlead.client.informer.Pacing;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The cluster as names see it, kept up to date.
///
/// Informers follow the API and note what changed; one thread compiles and is the only one to write
/// the tables. When the API is away everything stays as it was last seen, for ever.
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
  private static final long WARN_EVERY = TimeUnit.MINUTES.toNanos(1);

  private final DataOptions options;
  private final Client client;
  private final Pacing pacing;
  private final InstantSource clock;
  private final DataObserver observer;
  private final Tables tables = new Tables();
  private final Inputs inputs = new Inputs();
  private final List<Follower> followers = new ArrayList<>();
  private final List<Inputs.Sink<?>> sinks = new ArrayList<>();
  private final List<HeardSource> sources = new ArrayList<>();
  private final @Nullable Snapshots snapshots;
  private final Oversize oversize;
  private final Thread compiler;
  private long warnedAt;
  private volatile long serial;
  private volatile boolean synced;
  private volatile boolean closed;

  /// Begins to follow the API at once. Owns the client.
  public ClusterData(
      Client client,
      DataOptions options,
      Pacing pacing,
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
    oversize = new Oversize(client, clock, pacing.ticker());
    snapshots =
        options.snapshot().isEmpty() ? null : new Snapshots(Path.of(options.snapshot()), inputs);
    if (snapshots != null) {
      snapshots.load();
    }
    followers.forEach(Follower::start);
    compiler = Thread.ofVirtual().name("dns-compiler").start(this::compile);
  }

  private void follow(ResourceType type, String labels, String fields, Inputs.Sink<?> sink) {
    HeardSource source =
        new HeardSource(ListWatches.selected(client, type, "", labels, fields), pacing.ticker());
    sources.add(source);
    sinks.add(sink);
    followers.add(new Follower(source, sink, pacing));
  }

  public DataOptions options() {
    return options;
  }

  public Tables tables() {
    return tables;
  }

  /// All Services with names that may be seen, by namespace and name.
  public List<ServiceSnapshot> snapshot() {
    List<ServiceSnapshot> all = new ArrayList<>();
    tables.forEachService(
        each -> {
          Compiled compiled = each.visible();
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

  /// The second of the last change that somebody who asks could notice.
  public long serial() {
    return serial;
  }

  /// How long the server has not been heard of, in nanoseconds: the oldest of all watches.
  public long age() {
    long now = pacing.ticker().nanos();
    return sources.stream().mapToLong(source -> now - source.heardAt()).max().orElse(0);
  }

  /// Whether all watches are open.
  public boolean connected() {
    return sources.stream().allMatch(HeardSource::connected);
  }

  /// Services of which no transport can carry all records of one name.
  public int oversized() {
    return oversize.count();
  }

  /// Slices that are left out because they hold names.
  public int ignoredSlices() {
    return inputs.ignoredSlices();
  }

  private void compile() {
    while (!closed) {
      try {
        boolean complete = sinks.stream().allMatch(Inputs.Sink::complete);
        Inputs.Batch batch = inputs.take(synced ? TICK : UNSYNCED_TICK);
        if (!batch.isEmpty()) {
          apply(batch);
        }
        if (!synced && complete && inputs.clean()) {
          synced = true;
        }
        watchTheWatches();
        if (snapshots != null && synced) {
          snapshots.tick(pacing.ticker().nanos());
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException e) {
        log.atError().setCause(e).log("cannot compile a change, going on");
      }
    }
  }

  private void apply(Inputs.Batch batch) {
    boolean noticed = false;
    for (Map.Entry<String, Boolean> each : batch.namespaces().entrySet()) {
      tables.namespace(each.getKey(), each.getValue() && exposed(each.getKey()));
      noticed = true;
    }
    for (Map.Entry<ObjectKey, @Nullable PodFacts> each : batch.pods().entrySet()) {
      PodFacts pod = each.getValue();
      noticed |= tables.pod(each.getKey(), pod == null ? List.of() : pod.addresses());
    }
    for (Map.Entry<ObjectKey, Long> each : batch.services().entrySet()) {
      noticed |= service(each.getKey(), each.getValue());
    }
    if (noticed && snapshots != null) {
      snapshots.changed();
    }
    if (noticed) {
      serial = clock.instant().getEpochSecond();
    }
  }

  private boolean service(ObjectKey key, long changedAt) {
    if (key.name().isEmpty()) {
      return false;
    }
    Inputs.ServiceInput input = inputs.service(key);
    ServiceFacts facts = input.service();
    Compiled now = facts == null ? null : Compiled.of(facts, input.slices(), options);
    boolean changed = tables.service(key, now);
    if (changed) {
      oversize.look(key, now);
    }
    if (changed && changedAt > 0) {
      long passed = Math.max(0, clock.instant().toEpochMilli() - changedAt);
      observer.programmed(facts != null && facts.kind() == ServiceFacts.Kind.HEADLESS, passed);
    }
    return changed;
  }

  private boolean exposed(String namespace) {
    return options.namespaces().isEmpty() || options.namespaces().contains(namespace);
  }

  /// A watch may die unnoticed: nothing comes, nothing fails. Silence beyond bookmarks ends it.
  private void watchTheWatches() {
    long now = pacing.ticker().nanos();
    for (HeardSource source : sources) {
      if (source.connected() && now - source.heardAt() > SILENCE) {
        log.atWarn().addKeyValue("resource", source).log("nothing heard for long, watching anew");
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
    closed = true;
    followers.forEach(Follower::close);
    compiler.interrupt();
    try {
      compiler.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    if (snapshots != null && synced) {
      snapshots.save();
    }
    oversize.close();
    client.close();
  }
}
