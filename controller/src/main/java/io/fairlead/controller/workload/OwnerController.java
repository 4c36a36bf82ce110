package io.fairlead.controller.workload;

import io.fairlead.api.selector.LabelSelector;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.EachChange;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The frame of a controller whose objects own others: it follows both kinds, wakes an owner when
/// it or something of its changes, puts it aside until its own writes are to be seen, takes in and
/// lets go what its selector says, and then asks for the step that makes this kind of owner what it
/// is.
///
/// Steps of different owners run at the same time, those of one owner never do.
///
/// @param <T> the owners
/// @param <C> what they own
public abstract class OwnerController<T extends HasMetadata, C extends HasMetadata>
    implements Controller {
  /// Where informers of what is owned find it by the uid of its owner.
  private static final String BY_CONTROLLER = WorkloadPod.BY_CONTROLLER;

  /// Who owns what.
  ///
  /// @param component the controller's name, in events too
  /// @param type of the owners
  /// @param kind how they are seen
  /// @param selector of what they own
  /// @param ownedType of what they own
  /// @param ownedKind how that is seen; indexed by controller
  public record Ownership<T extends HasMetadata, C extends HasMetadata>(
      String component,
      ResourceType type,
      InformerKind<T> kind,
      Function<T, LabelSelector> selector,
      ResourceType ownedType,
      InformerKind<C> ownedKind) {
    /// Of owners of pods.
    public static <T extends HasMetadata> Ownership<T, WorkloadPod> ofPods(
        String component,
        ResourceType type,
        InformerKind<T> kind,
        Function<T, LabelSelector> selector) {
      return new Ownership<>(component, type, kind, selector, ResourceType.PODS, WorkloadPod.KIND);
    }
  }

  private static final Duration FIRST_RETRY = Duration.ofMillis(5);

  private final Ownership<T, C> ownership;
  private final ControllerRefManager claims;
  private final ControllerLoop<ObjectKey> loop;
  private final int workers;

  protected final Client client;
  protected final InstantSource clock;
  protected final Informer<T> owners;
  protected final Informer<C> owned;
  protected final Expectations expectations;
  protected final StatusWriter statuses;
  protected final WorkQueue<ObjectKey> queue;

  /// @param longestRetry the pause after many failures
  /// @param more informers the steps read
  protected OwnerController(
      ControllerContext wiring,
      int workers,
      Ownership<T, C> ownership,
      Duration longestRetry,
      List<Informer<?>> more) {
    this.ownership = ownership;
    this.workers = workers;
    this.client = wiring.client();
    this.clock = wiring.clock();
    this.owners = wiring.informers().of(ownership.kind());
    this.owned = wiring.informers().of(ownership.ownedKind());
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), new Backoff(FIRST_RETRY, longestRetry));
    this.claims = new ControllerRefManager(client, ownership.type());
    this.expectations = new Expectations(owned, queue::add);
    this.statuses = new StatusWriter(client, ownership.type());
    List<Informer<?>> needs = new ArrayList<>(List.of(owners, owned));
    needs.addAll(more);
    this.loop = new ControllerLoop<>(ownership.component(), queue, this::reconcile, needs);
  }

  /// What is to be done next for an owner, given what is its.
  protected abstract Reconciler.Result step(T owner, List<C> mine);

  /// Whether everything else that was written for it is to be seen; if not, it comes back when it
  /// is.
  protected boolean fresh(T owner) {
    return true;
  }

  /// The result for an owner that is not to take in anything, now or any more.
  ///
  /// @param mine what has its reference
  protected Optional<Reconciler.Result> aside(T owner, List<C> mine) {
    return Optional.empty();
  }

  /// Whether something could be the owner's at all, selector apart.
  protected boolean eligible(T owner, C candidate) {
    return true;
  }

  /// An owner is gone.
  protected void forget(ObjectKey owner) {}

  /// Joins further informers.
  protected void join() {}

  @Override
  public final void start() {
    owners.onChange(new EachChange<>(owner -> queue.add(owner.metadata().key())));
    owned.onChange(
        new OwnedChanges<T, C>(ownership.type().kind(), owners, ownership.selector(), queue::add));
    join();
    loop.start(workers);
  }

  @Override
  public final ControllerLoop<ObjectKey> loop() {
    return loop;
  }

  @Override
  public final void close() {
    loop.close();
  }

  private Reconciler.Result reconcile(ObjectKey key) {
    Optional<T> found = owners.get(key);
    if (found.isEmpty()) {
      expectations.forget(key);
      forget(key);
      return Reconciler.DONE;
    }
    if (!fresh(found.get()) || !expectations.met(key, of(found.get()))) {
      return Reconciler.DONE; // comes back
    }
    // What was read before that answer may lack what arrived just before it.
    Optional<T> again = owners.get(key);
    if (again.isEmpty()) {
      return Reconciler.DONE; // its end wakes it
    }
    T owner = again.get();
    List<C> candidates = new ArrayList<>(of(owner));
    Optional<Reconciler.Result> aside = aside(owner, candidates);
    if (aside.isPresent()) {
      return aside.get();
    }
    candidates.addAll(owned.find(BY_CONTROLLER, WorkloadPod.orphansOf(key.namespace())));
    candidates.removeIf(candidate -> !eligible(owner, candidate));
    try {
      return step(
          owner,
          claims.take(
              owner.metadata(),
              ownership.selector().apply(owner),
              candidates,
              ownership.ownedType()));
    } catch (ApiException e) {
      if (ApiErrors.isNamespaceTerminating(e)) {
        return Reconciler.DONE;
      }
      throw e;
    }
  }

  private List<C> of(T owner) {
    return owned.find(BY_CONTROLLER, owner.metadata().uid());
  }

  /// How long until the next of these pods has been ready for long enough.
  protected static Optional<Duration> untilAvailable(
      List<WorkloadPod> pods, Duration minReady, Instant now) {
    return pods.stream()
        .filter(pod -> pod.ready() && !pod.available(minReady, now))
        .map(pod -> Duration.between(now, pod.readySince().plus(minReady)))
        .min(Duration::compareTo);
  }

  /// Comes back after that time, if there is one.
  protected static Reconciler.Result again(Optional<Duration> pause) {
    return pause.<Reconciler.Result>map(Reconciler.Result.Again::new).orElse(Reconciler.DONE);
  }
}
