package io.fairlead.server.rest;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.Listing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// Deletes all objects that a selector matches, one by one (spec 2.5): not atomic, and an object
/// that somebody else deletes meanwhile is no error.
///
/// Several are in work at a time, so that their commits share a flush of the disk.
final class Collections {
  private static final int AT_ONCE = 32;

  private final Reads reads;
  private final Deletes deletes;

  Collections(Reads reads, Deletes deletes) {
    this.reads = reads;
    this.deletes = deletes;
  }

  /// The objects that were deleted or marked, as they were before.
  Listing delete(Call call, DeleteOptions options) {
    Listing found = reads.list(call);
    List<Future<Boolean>> running = new ArrayList<>();
    Semaphore places = new Semaphore(AT_ONCE);
    List<CachedObject> deleted = new ArrayList<>();
    try (ExecutorService workers =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("delete-", 0).factory())) {
      for (CachedObject item : found.items()) {
        places.acquireUninterruptibly();
        running.add(
            workers.submit(
                () -> {
                  try {
                    return deleteOne(call, item, options);
                  } finally {
                    places.release();
                  }
                }));
      }
      for (int i = 0; i < running.size(); i++) {
        if (await(running.get(i))) {
          deleted.add(found.items().get(i));
        }
      }
    }
    return new Listing(deleted, found.revision(), found.continueToken(), found.remaining());
  }

  private boolean deleteOne(Call call, CachedObject item, DeleteOptions options) {
    try {
      deletes.delete(call.about(call.resource(), item.namespace(), item.name()), options);
      return true;
    } catch (ApiException e) {
      if (e.status().code() == 404) {
        return false;
      }
      throw e;
    }
  }

  private static boolean await(Future<Boolean> one) {
    try {
      return one.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException problem) {
        throw problem;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw io.fairlead.server.limits.Deadline.timeout();
    }
  }
}
