package io.fairlead.agent.cri;

import io.fairlead.agent.cri.CriProto.AuthConfig;
import io.fairlead.agent.cri.CriProto.ImageStatusRequest;
import io.fairlead.agent.cri.CriProto.ImageStatusResponse;
import io.fairlead.agent.cri.CriProto.PullImageRequest;
import io.fairlead.agent.cri.CriProto.PullImageResponse;
import io.fairlead.agent.runtime.RegistryCredentials;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/// The images of an engine. Safe for many threads; calls for the same image with the same
/// credentials share one pull.
final class CriImageService {
  private static final Duration QUICK = Duration.ofSeconds(30);

  private final CriClient client;

  private record Wanted(String reference, Optional<RegistryCredentials> who) {}

  private final Map<Wanted, CompletableFuture<String>> pulls = new ConcurrentHashMap<>();

  CriImageService(CriClient client) {
    this.client = client;
  }

  /// The identity of an image that is there.
  Optional<String> find(String reference) {
    ImageNames.check(reference);
    return CriResponses.image(
        client.images(
            "ImageStatus",
            ImageStatusRequest.newBuilder().setImage(CriRequests.image(reference)).build(),
            ImageStatusResponse.parser(),
            QUICK));
  }

  /// Fetches an image and waits for it.
  ///
  /// @return its identity
  String pull(String reference, Optional<RegistryCredentials> who, Duration limit) {
    ImageNames.check(reference);
    CompletableFuture<String> mine = new CompletableFuture<>();
    Wanted wanted = new Wanted(reference, who);
    CompletableFuture<String> other = pulls.putIfAbsent(wanted, mine);
    if (other != null) {
      return result(other);
    }
    try {
      PullImageResponse response =
          client.images("PullImage", request(reference, who), PullImageResponse.parser(), limit);
      mine.complete(response.getImageRef());
    } catch (RuntimeException e) {
      mine.completeExceptionally(e);
    } finally {
      pulls.remove(wanted, mine);
    }
    return result(mine);
  }

  private static PullImageRequest request(String reference, Optional<RegistryCredentials> who) {
    PullImageRequest.Builder builder =
        PullImageRequest.newBuilder().setImage(CriRequests.image(reference));
    who.ifPresent(
        one ->
            builder.setAuth(
                AuthConfig.newBuilder().setUsername(one.user()).setPassword(one.password())));
    return builder.build();
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
