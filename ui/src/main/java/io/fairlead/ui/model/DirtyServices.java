package io.fairlead.ui.model;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.ui.model.ModelInformers.Followed;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// Which Services must be judged again, from the changes of objects. Safe for all threads.
final class DirtyServices {
  private final Runnable wake;
  // Guarded by this, like all below.
  private final Set<ObjectKey> keys = new HashSet<>();
  private final Set<Labels> pods = new HashSet<>();
  private final Set<String> namespaces = new HashSet<>();
  private boolean all = true;
  private boolean any = true;

  private record Labels(String namespace, Map<String, String> labels) {}

  /// What is to be judged again.
  ///
  /// @param matches for a Service and whether it has no endpoint
  record Batch(Set<ObjectKey> keys, Predicate<Candidate> matches) {}

  /// @param empty whether it has nothing that serves, so that any pod may be its
  record Candidate(ServiceFacts service, boolean empty) {}

  /// @param wake is called after each change
  DirtyServices(Runnable wake) {
    this.wake = wake;
  }

  void follow(ModelInformers informers) {
    informers.services().onChange(ChangeHandler.of(this::service, this::service));
    informers.slices().onChange(ChangeHandler.of(this::slice, this::slice));
    informers.pods().onChange(new PodChanges());
    informers.nodes().onChange(new NodeChanges());
    informers
        .owners()
        .onChange(ChangeHandler.of(one -> owner(one.metadata()), one -> owner(one.metadata())));
    informers.reports().onChange(ChangeHandler.of(_ -> touch(), _ -> touch()));
  }

  private void service(Followed<ServiceFacts> one) {
    add(() -> keys.add(one.metadata().key()));
  }

  private void slice(V1EndpointSlice one) {
    add(() -> keys.add(one.service()));
  }

  private void owner(io.fairlead.client.ObjectMeta one) {
    add(() -> namespaces.add(one.namespace()));
  }

  private void touch() {
    add(() -> {});
  }

  private void add(Runnable change) {
    synchronized (this) {
      change.run();
      any = true;
    }
    wake.run();
  }

  /// A pod's labels before and after say whose it was and is.
  private final class PodChanges implements ChangeHandler<V1Pod> {
    @Override
    public void added(V1Pod pod, boolean initial) {
      note(pod);
    }

    @Override
    public void updated(V1Pod old, V1Pod now) {
      note(old);
      note(now);
    }

    @Override
    public void deleted(V1Pod last, boolean finalStateUnknown) {
      note(last);
    }

    private void note(V1Pod pod) {
      add(() -> pods.add(new Labels(pod.metadata().namespace(), pod.metadata().labels())));
    }
  }

  /// Nodes report every few seconds; only a change of their readiness matters to Services.
  private final class NodeChanges implements ChangeHandler<V1Node> {
    @Override
    public void added(V1Node node, boolean initial) {
      add(() -> all = true);
    }

    @Override
    public void updated(V1Node old, V1Node now) {
      if (isReady(old) == isReady(now)) {
        return;
      }
      add(() -> all = true);
    }

    @Override
    public void deleted(V1Node last, boolean finalStateUnknown) {
      add(() -> all = true);
    }

    private static boolean isReady(V1Node node) {
      return node.condition("Ready").filter(one -> one.isTrue()).isPresent();
    }
  }

  /// Whether anything changed since the last [#take].
  synchronized boolean isAny() {
    return any;
  }

  /// Takes what is to be judged again.
  synchronized Batch take() {
    Set<ObjectKey> named = Set.copyOf(keys);
    Set<Labels> changed = Set.copyOf(pods);
    Set<String> owned = Set.copyOf(namespaces);
    boolean everything = all;
    keys.clear();
    pods.clear();
    namespaces.clear();
    all = false;
    any = false;
    return new Batch(
        named,
        candidate -> {
          ServiceFacts service = candidate.service();
          String namespace = service.key().namespace();
          return everything
              || named.contains(service.key())
              || (candidate.empty() && owned.contains(namespace))
              || changed.stream()
                  .anyMatch(
                      pod ->
                          pod.namespace().equals(namespace)
                              && (candidate.empty() || service.selecting().selects(pod.labels())));
        });
  }

  /// Everything is to be judged again.
  void addAll() {
    add(() -> all = true);
  }
}
