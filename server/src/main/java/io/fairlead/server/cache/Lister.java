package io.fairlead.server.cache;

import io.fairlead.api.status.ApiException;
import io.fairlead.store.CompactedException;
import io.fairlead.store.FutureRevisionException;
import io.fairlead.store.Range;
import io.fairlead.store.RangeResult;
import io.fairlead.store.Store;
import io.fairlead.store.StoreEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Answers lists: from memory when the present state is asked for, from the store's history when an
/// earlier one is (later pages, exact versions) and it has changed since.
final class Lister {
  private static final int HISTORY_PAGE = 500;
  private static final String EXPIRED_PAGE =
      "The provided continue parameter is too old to display a consistent list result. You can start"
          + " a new list without the continue parameter, or use the continue token in this response"
          + " to retrieve the remainder of the results. Continuing with the provided token results"
          + " in an inconsistent list - objects that were created, modified, or deleted between the"
          + " time the first chunk was returned and now may show up in the list.";

  private final ObjectCache cache;
  private final Store store;
  private final Caches caches;

  Lister(ObjectCache cache, Store store, Caches caches) {
    this.cache = cache;
    this.store = store;
    this.caches = caches;
  }

  ListPage list(ListQuery query) {
    ListOptionsValidation.check(query);
    if (!query.continueToken().isEmpty()) {
      return laterPage(query);
    }
    long asked = ListOptionsValidation.listRevision(query.resourceVersion());
    boolean exact =
        asked > 0
            && (query.match().equals(ListOptionsValidation.EXACT)
                || (query.match().isEmpty() && query.limit() > 0));
    if (exact) {
      return at(asked, query.selection(), query.limit(), "");
    }
    if (query.resourceVersion().isEmpty()) {
      caches.awaitFresh();
    } else {
      caches.awaitRevision(asked, Caches.FRESHNESS);
    }
    // A cache read with resourceVersion 0 ignores the limit.
    long limit = query.resourceVersion().equals("0") ? 0 : query.limit();
    return present(query.selection(), limit, "", 0);
  }

  private ListPage laterPage(ListQuery query) {
    ContinueToken token = ContinueToken.decode(query.continueToken());
    if (!query.resourceVersion().isEmpty()) {
      throw ApiException.badRequest(
          "specifying resource version is not allowed when using continue");
    }
    if (token.revision() <= 0) {
      caches.awaitFresh();
      return present(query.selection(), query.limit(), token.lastKey(), 0);
    }
    try {
      return at(token.revision(), query.selection(), query.limit(), token.lastKey());
    } catch (ApiException e) {
      if (e.status().code() != 410) {
        throw e;
      }
      String goOn = new ContinueToken(ContinueToken.INCONSISTENT, token.lastKey()).encode();
      throw new ApiException(ApiException.expired(EXPIRED_PAGE).status().withContinue(goOn));
    }
  }

  /// The state at a revision: the present one when nothing has changed since.
  private ListPage at(long revision, SelectionPredicate selection, long limit, String lastKey) {
    caches.awaitRevision(revision, Caches.FRESHNESS);
    try {
      if (cache.changedAt() <= revision && revision <= caches.revision()) {
        ListPage listing = present(selection, limit, lastKey, revision);
        if (cache.changedAt() <= revision) {
          refuseForgotten(revision, selection);
          return listing;
        }
      }
      return past(revision, selection, limit, lastKey);
    } catch (CompactedException e) {
      throw ListOptionsValidation.listTooOld();
    } catch (FutureRevisionException e) {
      throw ListOptionsValidation.tooLarge(revision, e.current());
    }
  }

  /// What the store has forgotten is gone also where nothing has changed since: else the same
  /// request would be refused or not depending on what others write.
  private void refuseForgotten(long revision, SelectionPredicate selection)
      throws CompactedException, FutureRevisionException {
    if (revision < caches.revision()) {
      RangeResult _ = store.range(new Range(prefix(selection), "", 1, revision));
    }
  }

  /// @param labelled the revision to print; 0 prints the present one
  private ListPage present(
      SelectionPredicate selection, long limit, String lastKey, long labelled) {
    long reached = caches.revision();
    Collected found = new Collected(selection, limit);
    String prefix = prefix(selection);
    String after = lastKey.isEmpty() ? "" : base(selection) + lastKey;
    long[] revision = {labelled};
    boolean later = selection.isAnsweredRemotely(cache.reader());
    List<CachedObject> unjudged = new ArrayList<>();
    cache.readUnderLock(
        prefix,
        objects -> {
          if (labelled == 0) {
            revision[0] = Math.max(reached, cache.changedAt());
          }
          while (objects.hasNext()) {
            CachedObject object = objects.next();
            if (!after.isEmpty() && object.key().compareTo(after) <= 0) {
              continue;
            }
            if (later) {
              unjudged.add(object);
            } else {
              found.offer(object);
            }
          }
        });
    CachedObject.prepare(unjudged);
    unjudged.forEach(found::offer);
    return found.listing(revision[0]);
  }

  private ListPage past(long revision, SelectionPredicate selection, long limit, String lastKey) {
    Collected found = new Collected(selection, limit);
    String after = lastKey.isEmpty() ? "" : base(selection) + lastKey;
    while (true) {
      RangeResult page = store.range(new Range(prefix(selection), after, HISTORY_PAGE, revision));
      for (StoreEntry entry : page.entries()) {
        found.offer(cache.reader().read(entry));
        after = entry.key();
      }
      if (page.remaining() == 0) {
        return found.listing(revision);
      }
      if (found.isFull()) {
        found.skip(page.remaining());
        return found.listing(revision);
      }
    }
  }

  private String prefix(SelectionPredicate selection) {
    return cache.descriptor().keyPrefix(selection.namespace());
  }

  /// What a continue token's key is relative to: the prefix, in a namespace without its last slash.
  private String base(SelectionPredicate selection) {
    String prefix = prefix(selection);
    return selection.namespace().isEmpty() ? prefix : prefix.substring(0, prefix.length() - 1);
  }

  /// Gathers a page and counts what lies behind it.
  private final class Collected {
    private final SelectionPredicate selection;
    private final long limit;
    private final List<CachedObject> items = new ArrayList<>();
    private long behind;

    Collected(SelectionPredicate selection, long limit) {
      this.selection = selection;
      this.limit = limit;
    }

    boolean isFull() {
      return limit > 0 && items.size() >= limit && behind > 0;
    }

    void offer(CachedObject object) {
      if (!selection.matches(object)) {
        return;
      }
      if (limit > 0 && items.size() >= limit) {
        behind++;
      } else {
        items.add(object);
      }
    }

    void skip(long more) {
      behind += more;
    }

    ListPage listing(long revision) {
      if (behind == 0) {
        return new ListPage(items, revision, "", null);
      }
      String lastKey = items.getLast().key().substring(base(selection).length());
      @Nullable Long remaining = selection.isUnfiltered() ? behind : null;
      return new ListPage(
          items, revision, new ContinueToken(revision, lastKey).encode(), remaining);
    }
  }
}
