package io.fairlead.client.informer;

import java.util.function.Consumer;

/// Gets every change, in order, on the informer's thread. Meant to put a key into a queue and
/// return: while it runs, nothing else of that kind is seen.
public interface ChangeHandler<T> {
  /// A handler that treats new and changed objects alike.
  ///
  /// @param present is given the newest state
  /// @param gone is given the last one
  static <T> ChangeHandler<T> of(Consumer<? super T> present, Consumer<? super T> gone) {
    return new ChangeHandler<>() {
      @Override
      public void added(T object, boolean initial) {
        present.accept(object);
      }

      @Override
      public void updated(T old, T now) {
        present.accept(now);
      }

      @Override
      public void deleted(T last, boolean finalStateUnknown) {
        gone.accept(last);
      }
    };
  }

  /// @param initial it was there before the informer or the handler began
  void added(T object, boolean initial);

  /// The object changed. A different uid means that it was deleted and made again unseen.
  void updated(T old, T now);

  /// @param finalStateUnknown the deletion itself was not seen; `last` may be out of date
  void deleted(T last, boolean finalStateUnknown);
}
