package io.fairlead.controller.workload;

import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// Wakes the owner of a pod, or whatever else is owned, that changed; both owners when it went from
/// one to another, and those that might take it in when it has none. A reference counts only with
/// the owner's uid: a successor of the same name gets no events of what its predecessor owned.
///
/// @param kind of the owners
/// @param wake takes the owner's key
public record OwnedChanges<T extends HasMetadata, C extends HasMetadata>(
    String kind, Informer<T> owners, Function<T, LabelSelector> selector, Consumer<ObjectKey> wake)
    implements ChangeHandler<C> {

  @Override
  public void added(C owned, boolean initial) {
    wakeFor(owned);
  }

  @Override
  public void updated(C old, C now) {
    Optional<OwnerReference> before = ControllerRefManager.controller(old.metadata());
    if (!before.equals(ControllerRefManager.controller(now.metadata()))) {
      before.ifPresent(_ -> wakeFor(old));
    }
    wakeFor(now);
  }

  @Override
  public void deleted(C last, boolean finalStateUnknown) {
    ControllerRefManager.controller(last.metadata()).ifPresent(_ -> wakeFor(last));
  }

  private void wakeFor(C owned) {
    ObjectMeta metadata = owned.metadata();
    Optional<OwnerReference> controller = ControllerRefManager.controller(metadata);
    if (controller.isPresent()) {
      if (controller.get().kind().equals(kind)) {
        ObjectKey key = new ObjectKey(metadata.namespace(), controller.get().name());
        owners
            .get(key)
            .filter(owner -> owner.metadata().uid().equals(controller.get().uid()))
            .ifPresent(_ -> wake.accept(key));
      }
      return;
    }
    if (metadata.beingDeleted()) {
      return;
    }
    for (T owner : owners.list()) {
      if (owner.metadata().namespace().equals(metadata.namespace())
          && selector.apply(owner).matches(metadata.labels())) {
        wake.accept(owner.metadata().key());
      }
    }
  }
}
