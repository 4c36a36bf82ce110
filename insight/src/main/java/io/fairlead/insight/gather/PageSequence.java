package io.fairlead.insight.gather;

import io.fairlead.client.ListOptions;
import io.fairlead.client.TypedPage;
import io.fairlead.work.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The pages of a list. Each is asked for as soon as the one before has named it, so that the
/// server writes it while the objects of that one are read.
final class PageSequence {
  private PageSequence() {}

  /// Asks for one page and reads it.
  interface Reader<T> {
    /// @param next is to be given the token of the next page, if there is one, when it is known
    TypedPage<T> read(ListOptions asked, Consumer<String> next);
  }

  /// All objects, in their order.
  ///
  /// @param first what to ask for, with the number of objects of a page
  /// @param most ends the list with the page that reaches so many objects
  /// @throws RuntimeException of the reader
  static <T> List<T> read(ListOptions first, int most, Reader<T> reader) {
    try (ExecutorService threads = Tasks.perTask("insight-page")) {
      try {
        return new Asking<>(first, most, reader, threads).all();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      } finally {
        threads.shutdownNow();
      }
    }
  }

  /// What was read of one page.
  ///
  /// @param next null behind the last page
  private record Part<T>(List<T> items, @Nullable Future<Part<T>> next) {}

  private record Asking<T>(ListOptions first, int most, Reader<T> reader, ExecutorService threads) {
    List<T> all() throws InterruptedException {
      List<T> all = new ArrayList<>();
      Future<Part<T>> pending = ask(first, 1);
      while (pending != null) {
        Part<T> part = await(pending);
        all.addAll(part.items());
        pending = part.next();
      }
      return all;
    }

    private static <T> Part<T> await(Future<Part<T>> pending) throws InterruptedException {
      try {
        return pending.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException why) {
          throw why;
        }
        throw new IllegalStateException(e.getCause());
      }
    }

    /// @param number of the page, from one
    private Future<Part<T>> ask(ListOptions options, int number) {
      return threads.submit(() -> part(options, number));
    }

    private Part<T> part(ListOptions options, int number) {
      AtomicReference<@Nullable Future<Part<T>>> next = new AtomicReference<>();
      boolean last = (long) number * first.limit() >= most;
      TypedPage<T> page =
          reader.read(
              options,
              token -> {
                if (!last) {
                  next.set(ask(first.continuing(token), number + 1));
                }
              });
      return new Part<>(page.items(), next.get());
    }
  }
}
