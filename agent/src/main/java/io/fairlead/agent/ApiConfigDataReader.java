package io.fairlead.agent;

import io.fairlead.agent.discovery.ConfigDataReader;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.volume.PodVolumes;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ConnectionException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Reads ConfigMaps and Secrets and asks for tokens, straight from the API. Safe for many threads.
final class ApiConfigDataReader implements ConfigDataReader, PodVolumes.TokenSource {
  static final ResourceType SECRETS = new ResourceType("", "v1", "secrets", "Secret", true);

  private record Wanted(String uid, String audience, long seconds) {}

  private record Held(String token, Instant renew) {}

  private final Client client;
  private final InstantSource clock;
  private final Map<Wanted, Held> tokens = new ConcurrentHashMap<>();

  ApiConfigDataReader(Client client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  @Override
  public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
    return read(ResourceType.CONFIG_MAPS, namespace, name)
        .map(
            object -> {
              Map<String, byte[]> data = decoded(object, "binaryData");
              object
                  .path("data")
                  .properties()
                  .forEach(
                      one ->
                          data.put(
                              one.getKey(),
                              one.getValue().asString("").getBytes(StandardCharsets.UTF_8)));
              return data;
            });
  }

  @Override
  public Optional<Map<String, byte[]>> secret(String namespace, String name) {
    return read(SECRETS, namespace, name).map(object -> decoded(object, "data"));
  }

  private static Map<String, byte[]> decoded(ObjectNode object, String member) {
    Map<String, byte[]> data = new TreeMap<>();
    object
        .path(member)
        .properties()
        .forEach(
            one -> data.put(one.getKey(), Base64.getDecoder().decode(one.getValue().asString(""))));
    return data;
  }

  private Optional<ObjectNode> read(ResourceType type, String namespace, String name) {
    return reached(() -> client.find(type, new ObjectKey(namespace, name)));
  }

  /// A token bound to the pod, renewed when four fifths of its life are over. Its life is what was
  /// asked for, or less where the server gives it an earlier end.
  @Override
  public String token(Pod pod, String audience, long seconds) {
    Wanted wanted = new Wanted(pod.uid(), audience, seconds);
    Held held = tokens.get(wanted);
    if (held != null && clock.instant().isBefore(held.renew())) {
      return held.token();
    }
    String account = Json.textOr(pod.spec(), "default", "serviceAccountName");
    ObjectNode body =
        Json.object().put("kind", "TokenRequest").put("apiVersion", "authentication.k8s.io/v1");
    ObjectNode spec = body.putObject("spec").put("expirationSeconds", seconds);
    if (!audience.isEmpty()) {
      spec.putArray("audiences").add(audience);
    }
    spec.putObject("boundObjectRef")
        .put("kind", "Pod")
        .put("apiVersion", "v1")
        .put("name", pod.name())
        .put("uid", pod.uid());
    String path =
        ResourceType.SERVICE_ACCOUNTS.path(new ObjectKey(pod.namespace(), account)) + "/token";
    ObjectNode answer =
        reached(() -> client.raw(ApiRequest.with("POST", path, Map.of(), body)).object());
    String token = Json.textOr(answer, "", "status", "token");
    Instant now = clock.instant();
    Duration life = Duration.ofSeconds(seconds);
    Duration granted = Duration.between(now, expiration(answer).orElse(now.plus(life)));
    Duration shorter = granted.compareTo(life) < 0 ? granted : life;
    tokens.put(wanted, new Held(token, now.plus(shorter.multipliedBy(4).dividedBy(5))));
    return token;
  }

  /// When the token of this answer ends; empty when the answer does not say so.
  private static Optional<Instant> expiration(ObjectNode answer) {
    try {
      return Optional.of(Instant.parse(Json.textOr(answer, "", "status", "expirationTimestamp")));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  @Override
  public void forget(Pod pod) {
    tokens.keySet().removeIf(one -> one.uid().equals(pod.uid()));
  }

  private static <T> T reached(Supplier<T> work) {
    try {
      return work.get();
    } catch (ApiException | ConnectionException e) {
      throw new RuntimeFailure("CreateContainerConfigError", String.valueOf(e.getMessage()));
    }
  }
}
