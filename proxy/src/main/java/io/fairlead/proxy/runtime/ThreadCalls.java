package io.fairlead.proxy.runtime;

import io.fairlead.proxy.core.DataPlaneException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/// Work that other threads hand to the thread of a loop and wait for. Thread-safe, without a lock.
final class ThreadCalls {
  private record Call(Runnable work, CompletableFuture<Boolean> done) {
    void run() {
      try {
        work.run();
        done.complete(true);
      } catch (RuntimeException e) {
        done.completeExceptionally(e);
      }
    }
  }

  private final Queue<Call> waiting = new ConcurrentLinkedQueue<>();

  /// Has the loop's thread do something and waits for it. What the work throws comes back as a
  /// [DataPlaneException].
  ///
  /// @param signal wakes the loop, which then calls [#runNext]
  /// @param closing whether the loop runs no further calls
  void call(Runnable work, Runnable signal, BooleanSupplier closing) {
    Call call = new Call(work, new CompletableFuture<>());
    waiting.add(call);
    signal.run();
    if (closing.getAsBoolean()) {
      refuseAll();
    }
    try {
      boolean _ = call.done.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof DataPlaneException refused
          ? refused
          : new DataPlaneException(String.valueOf(e.getMessage()), e);
    }
  }

  /// Runs one call, on the loop's thread. False when none waits.
  boolean runNext() {
    Call call = waiting.poll();
    if (call == null) {
      return false;
    }
    call.run();
    return true;
  }

  /// The loop has ended: what waits is not done.
  void refuseAll() {
    for (Call call = waiting.poll(); call != null; call = waiting.poll()) {
      call.done.completeExceptionally(new DataPlaneException("the proxy is stopping"));
    }
  }
}
