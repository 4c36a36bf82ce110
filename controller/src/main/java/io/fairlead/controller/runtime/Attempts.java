package io.fairlead.controller.runtime;

import io.fairlead.api.status.ApiException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The steps of one reconcile run that do not depend on each other: a step that the server refuses
/// does not keep the others from being done. [#check] throws what failed, so that the run counts as
/// failed and its key comes back.
///
/// A lost connection ends the run at once: it would fail every other step too. Owned by one thread.
public final class Attempts {
  private @Nullable ApiException first;

  /// Does it for each of them and then throws the first refusal, with the others as suppressed.
  public static <T> void forEach(Iterable<T> objects, Consumer<? super T> step) {
    Attempts attempts = new Attempts();
    objects.forEach(object -> attempts.run(() -> step.accept(object)));
    attempts.check();
  }

  /// Does one step.
  ///
  /// @return false when the server refused it
  public boolean run(Runnable step) {
    try {
      step.run();
      return true;
    } catch (ApiException e) {
      if (first == null) {
        first = e;
      } else if (!e.equals(first)) {
        first.addSuppressed(e);
      }
      return false;
    }
  }

  /// Throws the first refusal; does nothing when there was none.
  public void check() {
    if (first != null) {
      throw first;
    }
  }
}
