package io.fairlead.junit;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext.Store;

/// A value in a store of JUnit, made when it is asked for first and closed with the store.
///
/// What is used of JUnit here is in 5.10 as in 6; what newer versions have instead is not.
@SuppressWarnings({"deprecation", "try"})
final class StoredValue {
  private StoredValue() {}

  private record Owned(Object value, @Nullable AutoCloseable end)
      implements Store.CloseableResource, AutoCloseable {
    @Override
    public void close() throws Exception {
      if (end != null) {
        end.close();
      }
    }
  }

  /// @param end what closing the store closes
  record Made<T>(T value, @Nullable AutoCloseable end) {
    static <T extends AutoCloseable> Made<T> closing(T value) {
      return new Made<>(value, value);
    }
  }

  static <T> T of(Store store, Class<T> type, Supplier<Made<T>> make) {
    return type.cast(of(store, (Object) type.getName(), make));
  }

  static Object of(Store store, Object key, Supplier<? extends Made<?>> make) {
    Owned owned =
        store.getOrComputeIfAbsent(
            key,
            _ -> {
              Made<?> made = make.get();
              return new Owned(made.value(), made.end());
            },
            Owned.class);
    return Objects.requireNonNull(owned).value();
  }
}
