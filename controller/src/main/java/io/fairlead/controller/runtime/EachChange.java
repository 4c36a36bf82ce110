package io.fairlead.controller.runtime;

import io.fairlead.client.HasMetadata;
import io.fairlead.client.informer.ChangeHandler;
import java.util.function.Consumer;

/// A handler that treats every change alike: it is given the newest state, or the last one of an
/// object that is gone.
public record EachChange<T extends HasMetadata>(Consumer<T> then) implements ChangeHandler<T> {
  @Override
  public void added(T object, boolean initial) {
    then.accept(object);
  }

  /// Both states where the identity changed: one name, two objects.
  @Override
  public void updated(T old, T now) {
    if (!old.metadata().uid().equals(now.metadata().uid())) {
      then.accept(old);
    }
    then.accept(now);
  }

  @Override
  public void deleted(T last, boolean finalStateUnknown) {
    then.accept(last);
  }
}
