package io.fairlead.agent.cri;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/// The images of an engine. Safe for many threads; those who want the same image pull it once.
final class Images {
  private static final Duration QUICK = Duration.ofSeconds(30);

  private final CriClient client;
  private final Map<String, CompletableFuture<String>> pulls = new ConcurrentHashMap<>();

  Images(CriClient client) {
    this.client = client;
  }

  /// The identity of an image that is there.
  Optional<String> find(String reference) {
    ImageNames.check(reference);
    return Answers.image(
        client.images(
            "ImageStatus", Message.write().message(1, Requests.image(reference)).build(), QUICK));
  }

  /// Fetches an image and waits for it.
  ///
  /// @return its identity
  String pull(String reference, Duration limit) {
    ImageNames.check(reference);
    CompletableFuture<String> mine = new CompletableFuture<>();
    CompletableFuture<String> other = pulls.putIfAbsent(reference, mine);
    if (other != null) {
      return result(other);
    }
    try {
      mine.complete(
          client
              .images(
                  "PullImage", Message.write().message(1, Requests.image(reference)).build(), limit)
              .text(1));
    } catch (RuntimeException e) {
      mine.completeExceptionally(e);
    } finally {
      pulls.remove(reference, mine);
    }
    return result(mine);
  }

  private static String result(CompletableFuture<String> pull) {
    try {
      return pull.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException refused) {
        throw refused;
      }
      throw e;
    }
  }
}
