package io.fairlead.http.server;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/// Waits for a client to take what was written, but not for ever.
final class WriteTimeout {
  private WriteTimeout() {}

  /// Waits until the write is done. Every second it asks whether to give up.
  ///
  /// @throws IOException when the client is gone, or when `isOverdue` says so
  static void await(CompletableFuture<?> write, BooleanSupplier isOverdue)
      throws IOException, InterruptedException {
    while (true) {
      try {
        write.get(1, TimeUnit.SECONDS);
        return;
      } catch (TimeoutException e) {
        if (isOverdue.getAsBoolean()) {
          throw new IOException("the client does not read what it asked for", e);
        }
      } catch (ExecutionException e) {
        throw new IOException("the client is gone", e.getCause());
      }
    }
  }
}
