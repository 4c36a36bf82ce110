package io.fairlead.ui;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import io.fairlead.insight.gather.Sources;
import io.fairlead.insight.testing.FakeSources;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A cluster of objects alone, where a predicate says who may do what.
final class FakeUiHost implements UiHost {
  private static final Map<String, ResourceType> TYPES =
      Map.of(
          "Namespace", ResourceType.NAMESPACES,
          "Service", ResourceType.SERVICES,
          "Pod", ResourceType.PODS,
          "EndpointSlice", ResourceType.ENDPOINT_SLICES,
          "Node", ResourceType.NODES,
          "Lease", ResourceType.LEASES,
          "Deployment", ResourceType.DEPLOYMENTS,
          "ConfigMap", ResourceType.CONFIG_MAPS);

  private final FakeApi api = new FakeApi(List.copyOf(TYPES.values()));
  private final Client client = new Client(api);
  final List<List<String>> ran = new CopyOnWriteArrayList<>();

  /// Requests of users that write.
  final List<String> wrote = new CopyOnWriteArrayList<>();

  /// Says whether a user may do what a review asks for.
  volatile Predicate<JsonNode> allowed = _ -> true;

  final FakeSources evidence = new FakeSources(Instant.parse("2026-01-01T00:00:00Z"));

  /// Commands end when it is open.
  volatile CountDownLatch gate = new CountDownLatch(0);

  volatile CommandResult answer = new CommandResult(0, "{\"kind\":\"Trace\"}", "");

  /// Makes objects of YAML documents.
  void create(String yaml) {
    for (String document : yaml.split("(?m)^---$")) {
      ObjectNode object = (ObjectNode) Yaml.parse(document);
      client.create(type(object), Json.textOr(object, "", "metadata", "namespace"), object);
    }
  }

  private static ResourceType type(ObjectNode object) {
    return Objects.requireNonNull(TYPES.get(Json.textOr(object, "", "kind")));
  }

  /// Edits an object.
  void change(String kind, ObjectKey key, Consumer<ObjectNode> edit) {
    ObjectNode object = client.get(Objects.requireNonNull(TYPES.get(kind)), key);
    edit.accept(object);
    client.update(Objects.requireNonNull(TYPES.get(kind)), object);
  }

  @Override
  public Client watching() {
    return client;
  }

  @Override
  public Client as(UiUser user) {
    return new Client(new Reviewing());
  }

  /// The API with reviews, which the fake does not know.
  private final class Reviewing implements Transport {
    @Override
    public ApiResponse send(ApiRequest request) {
      JsonNode body = request.body();
      if (body != null && request.path().endsWith("selfsubjectaccessreviews")) {
        boolean yes = allowed.test(body.path("spec").path("resourceAttributes"));
        return new ApiResponse(
            201,
            ("{\"kind\":\"SelfSubjectAccessReview\",\"status\":{\"allowed\":" + yes + "}}")
                .getBytes(StandardCharsets.UTF_8));
      }
      boolean writes = Set.of("PATCH", "DELETE").contains(request.method());
      String verb = request.method().toLowerCase(Locale.ROOT);
      if (writes && !allowed.test(Json.object().put("verb", verb))) {
        return new ApiResponse(
            403,
            "{\"kind\":\"Status\",\"code\":403,\"reason\":\"Forbidden\",\"message\":\"no\"}"
                .getBytes(StandardCharsets.UTF_8));
      }
      boolean dry = "All".equals(request.query().get("dryRun"));
      if (writes) {
        wrote.add(request.method() + " " + request.path() + (dry ? " dry" : ""));
      }
      return dry && request.method().equals("DELETE")
          ? new ApiResponse(200, "{}".getBytes(StandardCharsets.UTF_8))
          : api.send(request);
    }

    @Override
    public LineStream stream(ApiRequest request) {
      return api.stream(request);
    }

    @Override
    public void close() {}
  }

  @Override
  public Sources sources(UiUser user) {
    return evidence;
  }

  @Override
  public CommandResult run(Seat seat, List<String> words) {
    ran.add(List.copyOf(words));
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return answer;
  }

  @Override
  public Optional<ObjectNode> top(UiUser user, String namespace, String service) {
    return Optional.empty();
  }

  @Override
  public String version() {
    return "test";
  }
}
