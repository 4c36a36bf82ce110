package io.fairlead.server.rest;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.ListPage;
import io.fairlead.work.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// Deletes all objects that a selector matches, one by one (spec 2.5): not atomic, and an object
/// that another request deletes meanwhile is no error.
///
/// Several are in work at a time, so that their commits share a flush of the disk.
final class DeleteCollectionHandler {
  private static final int AT_ONCE = 32;

  private final ReadHandler reads;
  private final DeleteHandler deletes;

  DeleteCollectionHandler(ReadHandler reads, DeleteHandler deletes) {
    this.reads = reads;
    this.deletes = deletes;
  }

  /// The objects that were deleted or marked, as they were before.
  ListPage delete(ResourceRequest call, DeleteRequestOptions options) {
    ListPage found = reads.list(call);
    List<Future<Boolean>> running = new ArrayList<>();
    Semaphore places = new Semaphore(AT_ONCE);
    List<CachedObject> deleted = new ArrayList<>();
    try (ExecutorService workers = Tasks.perTask("delete")) {
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
    return new ListPage(deleted, found.revision(), found.continueToken(), found.remaining());
  }

  private boolean deleteOne(ResourceRequest call, CachedObject item, DeleteRequestOptions options) {
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
