package io.fairlead.agent.files;

import io.fairlead.agent.runtime.RegistryCredentials;
import io.fairlead.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Finds in Secrets who one is to the registry of an image. Pure.
///
/// A Secret holds a file as `docker login` writes it: registries, or paths below them, and who one
/// is there. The longest that fits the image counts.
final class PullSecrets {
  private static final String FILE = ".dockerconfigjson";
  private static final String OLD_FILE = ".dockercfg";
  private static final String STANDARD = "docker.io";

  private record Found(String place, RegistryCredentials credentials) {}

  private PullSecrets() {}

  /// @param secrets their data
  static Optional<RegistryCredentials> find(String image, List<Map<String, byte[]>> secrets) {
    String wanted = full(image);
    return secrets.stream()
        .flatMap(secret -> entries(secret).stream())
        .filter(found -> covers(found.place(), wanted))
        .max(Comparator.comparingInt(found -> found.place().length()))
        .map(Found::credentials);
  }

  private static List<Found> entries(Map<String, byte[]> secret) {
    byte[] file = secret.get(FILE);
    byte[] old = secret.get(OLD_FILE);
    try {
      JsonNode places =
          file != null
              ? Json.mapper().readTree(file).path("auths")
              : old != null ? Json.mapper().readTree(old) : Json.object();
      return places.properties().stream()
          .flatMap(
              entry ->
                  credentials(entry.getValue())
                      .map(found -> new Found(place(entry.getKey()), found))
                      .stream())
          .toList();
    } catch (JacksonException _) {
      // A Secret of another kind; the registry will say that it wants to know who one is.
      return List.of();
    }
  }

  private static Optional<RegistryCredentials> credentials(JsonNode entry) {
    String user = Json.textOr(entry, "", "username");
    String password = Json.textOr(entry, "", "password");
    if (user.isEmpty()) {
      try {
        String both =
            new String(
                Base64.getDecoder().decode(Json.textOr(entry, "", "auth")), StandardCharsets.UTF_8);
        int colon = both.indexOf(':');
        if (colon < 0) {
          return Optional.empty();
        }
        return Optional.of(
            new RegistryCredentials(both.substring(0, colon), both.substring(colon + 1)));
      } catch (IllegalArgumentException _) {
        return Optional.empty();
      }
    }
    return Optional.of(new RegistryCredentials(user, password));
  }

  /// `https://index.docker.io/v1/` and the like, without what does not name the registry.
  private static String place(String key) {
    String plain =
        key.replaceFirst("^https?://", "").replaceFirst("/v[12]/?$", "").replaceFirst("/$", "");
    return plain.replaceFirst("^(index|registry-1)\\.docker\\.io", STANDARD);
  }

  /// The name with its registry: `nginx` is of the standard one.
  private static String full(String image) {
    int slash = image.indexOf('/');
    String first = slash < 0 ? "" : image.substring(0, slash);
    boolean registry = first.contains(".") || first.contains(":") || first.equals("localhost");
    return registry ? image : STANDARD + "/" + image;
  }

  private static boolean covers(String place, String image) {
    return image.startsWith(place + "/") || image.equals(place) || image.startsWith(place + ":");
  }
}
