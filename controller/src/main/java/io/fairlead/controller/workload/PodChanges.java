package io.fairlead.controller.workload;

import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// Wakes the owner of a pod that changed, both owners when it went from one to another, and those
/// that might take it in when it has none. A reference counts only with the owner's uid: a
/// successor of the same name is not told of its predecessor's pods.
///
/// @param kind of the owners
/// @param wake takes the owner's key
public record PodChanges<T extends HasMetadata>(
    String kind, Informer<T> owners, Function<T, LabelSelector> selector, Consumer<ObjectKey> wake)
    implements ChangeHandler<Pod> {

  @Override
  public void added(Pod pod, boolean initial) {
    wakeFor(pod);
  }

  @Override
  public void updated(Pod old, Pod now) {
    if (!old.controller().equals(now.controller())) {
      old.controller().ifPresent(_ -> wakeFor(old));
    }
    wakeFor(now);
  }

  @Override
  public void deleted(Pod last, boolean finalStateUnknown) {
    last.controller().ifPresent(_ -> wakeFor(last));
  }

  private void wakeFor(Pod pod) {
    Optional<OwnerReference> controller = pod.controller();
    if (controller.isPresent()) {
      if (controller.get().kind().equals(kind)) {
        ObjectKey key = new ObjectKey(pod.key().namespace(), controller.get().name());
        owners
            .get(key)
            .filter(owner -> owner.metadata().uid().equals(controller.get().uid()))
            .ifPresent(_ -> wake.accept(key));
      }
      return;
    }
    if (pod.terminating()) {
      return;
    }
    for (T owner : owners.list()) {
      if (owner.metadata().namespace().equals(pod.key().namespace())
          && selector.apply(owner).matches(pod.metadata().labels())) {
        wake.accept(owner.metadata().key());
      }
    }
  }
}
