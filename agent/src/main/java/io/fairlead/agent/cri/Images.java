package io.fairlead.agent.cri;

import io.fairlead.agent.runtime.Credentials;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/// The images of an engine. Safe for many threads; those who want the same image as the same user
/// pull it once.
final class Images {
  private static final Duration QUICK = Duration.ofSeconds(30);

  private final CriClient client;

  private record Wanted(String reference, Optional<Credentials> who) {}

  private final Map<Wanted, CompletableFuture<String>> pulls = new ConcurrentHashMap<>();

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
  String pull(String reference, Optional<Credentials> who, Duration limit) {
    ImageNames.check(reference);
    CompletableFuture<String> mine = new CompletableFuture<>();
    Wanted wanted = new Wanted(reference, who);
    CompletableFuture<String> other = pulls.putIfAbsent(wanted, mine);
    if (other != null) {
      return result(other);
    }
    try {
      mine.complete(client.images("PullImage", request(reference, who), limit).text(1));
    } catch (RuntimeException e) {
      mine.completeExceptionally(e);
    } finally {
      pulls.remove(wanted, mine);
    }
    return result(mine);
  }

  /// `PullImageRequest`.
  private static Message request(String reference, Optional<Credentials> who) {
    Message.Writer writer = Message.write().message(1, Requests.image(reference));
    who.ifPresent(
        one ->
            writer.message(2, Message.write().text(1, one.user()).text(2, one.password()).build()));
    return writer.build();
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
