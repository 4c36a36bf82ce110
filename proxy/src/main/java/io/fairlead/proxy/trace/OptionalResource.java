package io.fairlead.proxy.trace;

import java.util.Optional;

/// Something that is closed if it is there.
///
/// @param <T> what it is
record OptionalResource<T extends AutoCloseable>(Optional<T> get) implements AutoCloseable {
  static <T extends AutoCloseable> OptionalResource<T> of(Optional<T> resource) {
    return new OptionalResource<>(resource);
  }

  @Override
  public void close() {
    if (get.isPresent()) {
      try {
        get.get().close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
