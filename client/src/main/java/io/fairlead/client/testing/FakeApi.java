package io.fairlead.client.testing;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.api.status.Status.Cause;
import io.fairlead.api.status.Status.Details;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.Transport;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An API server in memory, reached through the same transport interface as a real one.
public final class FakeApi implements Transport {
  private final FakeStore store = new FakeStore();
  private final FakeVerbs verbs;
  private final FakeRoutes routes;
  private final Map<String, List<ObjectNode>> pages = new HashMap<>();
  private final Set<FakeLines> open = ConcurrentHashMap.newKeySet();
  private final List<String> writes = new CopyOnWriteArrayList<>();
  private volatile boolean streamingLists = true;
  private volatile Consumer<ApiRequest> intercept = _ -> {};

  /// A server of these kinds and of namespaces, with the namespaces every cluster has. Its clock
  /// stands still and its names repeat from run to run.
  public FakeApi(List<ResourceType> types) {
    this(
        types,
        InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")),
        RandomGeneratorFactory.of("L64X128MixRandom").create(1));
  }

  public FakeApi(List<ResourceType> types, InstantSource clock, RandomGenerator random) {
    List<ResourceType> all = new ArrayList<>(List.of(ResourceType.NAMESPACES));
    types.stream().filter(type -> !all.contains(type)).forEach(all::add);
    this.routes = new FakeRoutes(all);
    this.verbs = new FakeVerbs(store, clock, random);
    for (String name : List.of("default", "kube-system")) {
      ObjectNode namespace = Json.object();
      namespace.putObject("metadata").put("name", name);
      locked(() -> verbs.create(ResourceType.NAMESPACES, "", namespace));
    }
  }

  /// The writes that were asked for, `DELETE /api/v1/…`, in order.
  public List<String> writes() {
    return List.copyOf(writes);
  }

  /// Has every request, watches too, pass that check before it is answered: an `ApiException` is
  /// the answer to it, everything else it throws reaches the caller as a fault of the transport
  /// does.
  public void intercept(Consumer<ApiRequest> check) {
    intercept = check;
  }

  /// How many watches of that resource are open.
  public int openWatches(ResourceType type) {
    return locked(
        () -> {
          open.removeIf(FakeLines::isOver);
          return (int) open.stream().filter(lines -> lines.shows(type)).count();
        });
  }

  /// Forgets all history: watches from old versions get 410.
  public void compact() {
    locked(
        () -> {
          store.compact();
          return true;
        });
  }

  /// Whether `sendInitialEvents` is understood; otherwise it is refused as older servers do.
  public void streamingLists(boolean understood) {
    streamingLists = understood;
  }

  /// Moves the version on without a change, as writes of kinds not watched do.
  public void skipRevision() {
    locked(
        () -> {
          store.skipRevision();
          return true;
        });
  }

  /// Ends all running watches in order, as their time-out does.
  public void endWatches() {
    locked(
        () -> {
          open.forEach(FakeLines::end);
          open.clear();
          return true;
        });
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    if (!request.method().equals("GET")) {
      writes.add(request.method() + " " + request.path());
    }
    try {
      intercept.accept(request);
      ObjectNode body = locked(() -> answer(request));
      return new ApiResponse(request.method().equals("POST") ? 201 : 200, Json.bytes(body));
    } catch (ApiException e) {
      return new ApiResponse(e.status().code(), Json.bytes(e.status().toJson()));
    }
  }

  @Override
  public FakeLines stream(ApiRequest request) {
    return locked(
        () -> {
          try {
            intercept.accept(request);
            FakeLines lines = watch(request);
            open.add(lines);
            return lines;
          } catch (ApiException e) {
            FakeLines refused =
                new FakeLines(store, e.status().code(), ResourceType.NAMESPACES, "", _ -> true, 0);
            refused.line(Json.bytes(e.status().toJson()));
            refused.end();
            return refused;
          }
        });
  }

  @Override
  public void close() {
    open.forEach(FakeLines::close);
    open.clear();
  }

  private ObjectNode answer(ApiRequest request) {
    if (request.method().equals("GET")) {
      ObjectNode document = routes.discovery(request.path());
      if (document != null) {
        return document;
      }
    }
    FakeRoutes.Target target = routes.target(request.path());
    ResourceType type = target.type();
    JsonNode body = request.body() == null ? Json.object() : request.body();
    if (target.key().name().isEmpty()) {
      return switch (request.method()) {
        case "GET" -> list(type, target.key().namespace(), request.query());
        case "POST" -> verbs.create(type, target.key().namespace(), (ObjectNode) body);
        case "DELETE" -> deleteAll(type, target.key().namespace(), request.query(), body);
        default -> throw ApiException.methodNotAllowed();
      };
    }
    return switch (request.method()) {
      case "GET" -> found(type, target.key());
      case "PUT" -> verbs.update(type, target.key(), target.subresource(), (ObjectNode) body);
      case "PATCH" -> {
        yield switch (request.contentType()) {
          case "application/merge-patch+json" ->
              verbs.merge(type, target.key(), target.subresource(), body);
          case "application/strategic-merge-patch+json" ->
              verbs.strategic(type, target.key(), target.subresource(), (ObjectNode) body);
          default ->
              throw new ApiException(
                  Status.of(
                      415,
                      "UnsupportedMediaType",
                      "the fake knows merge patches and strategic merge patches only"));
        };
      }
      case "DELETE" -> verbs.delete(type, target.key(), body);
      case "POST" -> {
        if (!target.subresource().equals("binding")) {
          throw ApiException.methodNotAllowed();
        }
        yield verbs.bind(target.key(), body);
      }
      default -> throw ApiException.methodNotAllowed();
    };
  }

  private ObjectNode found(ResourceType type, ObjectKey key) {
    return store
        .get(type, key)
        .orElseThrow(() -> ApiException.notFound(type.group(), type.plural(), key.name()));
  }

  private ObjectNode deleteAll(
      ResourceType type, String namespace, Map<String, String> query, JsonNode options) {
    List<ObjectNode> items = matching(type, namespace, query);
    items.forEach(item -> verbs.delete(type, ObjectKey.of(item), options));
    return listOf(type, items, store.revision());
  }

  private List<ObjectNode> matching(
      ResourceType type, String namespace, Map<String, String> query) {
    Predicate<JsonNode> selector = FakeSelector.of(query);
    return store.list(type, namespace).stream().filter(selector).toList();
  }

  private ObjectNode list(ResourceType type, String namespace, Map<String, String> query) {
    checkFuture(query.getOrDefault("resourceVersion", ""));
    int limit = Integer.parseInt(query.getOrDefault("limit", "0"));
    String token = query.getOrDefault("continue", "");
    long revision = store.revision();
    List<ObjectNode> items;
    if (token.isEmpty()) {
      items = matching(type, namespace, query);
    } else {
      List<ObjectNode> rest = pages.get(token);
      if (rest == null) {
        throw ApiException.expired("The provided continue parameter is too old");
      }
      items = rest;
      revision = Long.parseLong(token.substring(0, token.indexOf('.')));
    }
    if (limit == 0 || items.size() <= limit) {
      return listOf(type, items, revision);
    }
    String next = revision + "." + pages.size();
    pages.put(next, List.copyOf(items.subList(limit, items.size())));
    ObjectNode page = listOf(type, items.subList(0, limit), revision);
    Json.child(page, "metadata").put("continue", next);
    return page;
  }

  private static ObjectNode listOf(ResourceType type, List<ObjectNode> items, long revision) {
    ObjectNode list =
        Json.object().put("kind", type.kind() + "List").put("apiVersion", type.apiVersion());
    list.putObject("metadata").put("resourceVersion", Long.toString(revision));
    list.putArray("items").addAll(items);
    return list;
  }

  private FakeLines watch(ApiRequest request) {
    FakeRoutes.Target target = routes.target(request.path());
    Map<String, String> query = request.query();
    String version = query.getOrDefault("resourceVersion", "");
    boolean initial = "true".equals(query.get("sendInitialEvents"));
    if (initial && !streamingLists) {
      throw new ApiException(
          Status.of(422, "Invalid", "sendInitialEvents is forbidden for watch")
              .withDetails(Details.of("", "meta.k8s.io", "ListOptions")));
    }
    checkFuture(version);
    ResourceType type = target.type();
    String namespace = target.key().namespace();
    boolean fromNow = initial || version.isEmpty() || version.equals("0");
    int position = store.positionAfter(fromNow ? store.revision() : Long.parseLong(version));
    Predicate<JsonNode> selector = FakeSelector.of(query);
    FakeLines lines = new FakeLines(store, 200, type, namespace, selector, position);
    if (fromNow) {
      store.added(type, namespace, selector).forEach(lines::line);
      if (initial) {
        lines.bookmark(true);
      }
    } else if (Long.parseLong(version) < store.compacted()) {
      Status gone =
          Status.of(
              410,
              "Expired",
              "too old resource version: " + version + " (" + store.compacted() + ")");
      lines.line(FakeLines.event("ERROR", gone.toJson()));
      lines.end();
    }
    return lines;
  }

  private void checkFuture(String version) {
    if (!version.isEmpty() && Long.parseLong(version) > store.revision()) {
      throw new ApiException(
          Status.of(504, "Timeout", "Timeout: Too large resource version: " + version)
              .withDetails(
                  Details.EMPTY
                      .withCauses(
                          List.of(
                              new Cause(
                                  "ResourceVersionTooLarge", "Too large resource version", "")))
                      .withRetryAfter(1)));
    }
  }

  private interface Locked<T> {
    T run();
  }

  private <T> T locked(Locked<T> work) {
    store.lock.lock();
    try {
      return work.run();
    } finally {
      store.lock.unlock();
    }
  }
}
