package io.fairlead.ui.model;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.objects.V1Node;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.explain.ServiceExplainer;
import io.fairlead.insight.gather.SurveyEvidence;
import io.fairlead.ui.model.ModelInformers.Followed;
import io.fairlead.work.Pacer;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// How every Service stands, by the API alone, kept up to date while a session shows it.
///
/// How it works: nothing is followed until the first look, and nothing more a while after the last.
/// A change marks the Services that it may concern; one loop judges those again and puts a new
/// immutable map in place of the old one: at once after a quiet time, then after rests that double
/// up to a quarter of a second, so that a pod and its slice do not wait for each other and a
/// roll-out is four rounds a second.
///
/// Safe for all threads.
public final class UiModel implements AutoCloseable {
  private static final Duration SHORTEST_REST = Duration.ofMillis(16);
  private static final Duration LONGEST_REST = Duration.ofMillis(250);
  private static final Duration IDLE = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Client client;
  private final InstantSource clock;
  private final Pacer pacer;
  private final Runnable changed;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  // Guarded by the lock.
  private @Nullable Following following;
  private Instant used = Instant.EPOCH;

  /// @param client reads everything; what a user may not see is left out later
  /// @param changed is called after each change of the model
  public UiModel(Client client, InstantSource clock, Pacer pacer, Runnable changed) {
    this.client = client;
    this.clock = clock;
    this.pacer = pacer;
    this.changed = changed;
  }

  /// What runs while a session shows something.
  private final class Following implements AutoCloseable {
    private final ModelInformers informers = ModelInformers.of(client);
    private final SupervisedLoop loop;
    private final DirtyServices dirty;
    private volatile Map<ObjectKey, JudgedService> states = Map.of();
    private volatile boolean full;
    private long version;
    // Owned by the loop.
    private Duration rest = SHORTEST_REST;
    private Instant rested = Instant.EPOCH;

    Following() {
      this.loop = SupervisedLoop.of("ui-model").every(Duration.ofSeconds(30)).build(this::step);
      this.dirty = new DirtyServices(loop::wake);
      dirty.follow(informers);
      informers.start();
      loop.start();
    }

    private void step() throws InterruptedException {
      if (!informers.hasSynced()) {
        pacer.pause(Duration.ofMillis(20));
        loop.wake();
        return;
      }
      if (!full || dirty.isAny()) {
        DirtyServices.Batch batch = dirty.take();
        try {
          states = judged(batch);
        } catch (RuntimeException e) {
          dirty.addAll();
          throw e;
        }
        tellFilled();
        changed.run();
        rest();
      }
    }

    private void rest() throws InterruptedException {
      Instant now = clock.instant();
      boolean quiet = now.isAfter(rested.plus(LONGEST_REST));
      Duration doubled = rest.multipliedBy(2);
      rest = quiet ? SHORTEST_REST : doubled.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : doubled;
      rested = now.plus(rest);
      pacer.pause(rest);
    }

    private void tellFilled() {
      full = true;
      lock.lock();
      try {
        filled.signalAll();
      } finally {
        lock.unlock();
      }
    }

    private Map<ObjectKey, JudgedService> judged(DirtyServices.Batch batch) {
      Map<ObjectKey, JudgedService> before = states;
      Map<ObjectKey, JudgedService> after = new HashMap<>(before);
      Set<ObjectKey> present = new HashSet<>();
      SurveyEvidence survey = survey();
      for (Followed<ServiceFacts> each : informers.services().list()) {
        ServiceFacts service = each.object();
        ObjectKey key = service.key();
        present.add(key);
        JudgedService known = before.get(key);
        boolean empty =
            known == null || known.explanation().summary().path("podsServing").asInt(0) == 0;
        if (known == null || batch.matches().test(new DirtyServices.Candidate(service, empty))) {
          ServiceEvidence evidence = survey.of(service);
          after.put(
              key,
              new JudgedService(
                  service, evidence, ServiceExplainer.explain(evidence, service, ""), ++version));
        }
      }
      after.keySet().retainAll(present);
      return Map.copyOf(after);
    }

    private SurveyEvidence survey() {
      return informers.survey(clock.instant());
    }

    @Override
    public void close() {
      loop.close();
      informers.close();
    }
  }

  /// Notes a use of the model; begins to follow and waits for the first state.
  private Following use() {
    lock.lock();
    try {
      used = clock.instant();
      Following now = following;
      if (now == null) {
        now = new Following();
        following = now;
      }
      long left = PATIENCE.toNanos();
      while (!now.full && left > 0) {
        left = filled.awaitNanos(left);
      }
      return now;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the first state was read", e);
    } finally {
      lock.unlock();
    }
  }

  /// Stops following when no session has used the model for a while.
  public void rest() {
    Following ended = null;
    lock.lock();
    try {
      if (following != null && clock.instant().isAfter(used.plus(IDLE))) {
        ended = following;
        following = null;
      }
    } finally {
      lock.unlock();
    }
    if (ended != null) {
      ended.close();
    }
  }

  Collection<JudgedService> states() {
    return use().states.values();
  }

  /// Whether the first state has been read.
  public boolean isFull() {
    return use().full;
  }

  Optional<JudgedService> find(ObjectKey key) {
    return Optional.ofNullable(use().states.get(key));
  }

  /// A window of the list.
  public ObjectNode list(ServiceQuery query, Rights rights) {
    ObjectNode value = ServiceListWindow.of(states(), query, rights);
    value.put("loading", !isFull());
    if (rights.mayList(ResourceType.NODES, "")) {
      Instant now = clock.instant();
      value
          .put("nodes", nodes().size())
          .put("applied", reports().values().stream().filter(one -> one.lives(now)).count());
    }
    return value;
  }

  /// Everything about one Service by the API alone.
  public ObjectNode detail(ObjectKey key, Rights rights) {
    Optional<JudgedService> state = find(key);
    return ServiceDetail.of(key, state, rights, nodes());
  }

  /// All nodes now.
  public List<V1Node> nodes() {
    return use().informers.nodes().list();
  }

  /// What proxies report, by node.
  public Map<String, ProxyReport> reports() {
    Map<String, ProxyReport> byNode = new HashMap<>();
    use().informers.reports().list().forEach(one -> byNode.put(one.object().node(), one.object()));
    return byNode;
  }

  /// The name of the pod with that address, for who may list pods there.
  public Optional<ObjectKey> podAt(String address, Rights rights) {
    return use().informers.pods().list().stream()
        .filter(pod -> pod.status().addresses().contains(address) && !pod.spec().hostNetwork())
        .map(pod -> pod.metadata().key())
        .filter(key -> rights.mayList(ResourceType.PODS, key.namespace()))
        .findFirst();
  }

  /// The node from which a packet of `pod/NAMESPACE/NAME` or `node/NAME` goes out.
  public Optional<String> nodeOf(String from) {
    String[] parts = from.split("/");
    if (parts.length == 2 && parts[0].equals("node")) {
      return Optional.of(parts[1]);
    }
    return parts.length == 3 && parts[0].equals("pod")
        ? use().informers.pods().list().stream()
            .filter(pod -> pod.metadata().key().equals(new ObjectKey(parts[1], parts[2])))
            .map(pod -> pod.spec().nodeName())
            .filter(name -> !name.isEmpty())
            .findFirst()
        : Optional.empty();
  }

  /// Pods whose name or namespace holds all words, for a field to choose from.
  public List<ObjectNode> pods(String text, int most, Rights rights) {
    List<String> words = List.of(text.strip().split("\\s+"));
    return use().informers.pods().list().stream()
        .filter(
            pod -> words.stream().allMatch(word -> pod.metadata().key().toString().contains(word)))
        .filter(pod -> rights.mayList(ResourceType.PODS, pod.metadata().namespace()))
        .sorted(Comparator.comparing(pod -> pod.metadata().key()))
        .limit(most)
        .map(
            pod ->
                Json.object()
                    .put("namespace", pod.metadata().namespace())
                    .put("name", pod.metadata().name())
                    .put("node", pod.spec().nodeName())
                    .put("address", pod.status().podIp()))
        .toList();
  }

  @Override
  public void close() {
    Following ended;
    lock.lock();
    try {
      ended = following;
      following = null;
    } finally {
      lock.unlock();
    }
    if (ended != null) {
      ended.close();
    }
  }
}
