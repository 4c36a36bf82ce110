package io.fairlead.client;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.client.informer.SharedWatches;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads and writes objects of any kind. Blocking; safe for many threads.
///
/// An error of the server is an `ApiException` with its Status; no answer at all is a
/// `ConnectionException`. An empty namespace means the whole cluster in lists and watches.
public final class Client implements AutoCloseable {
  /// Asks for metadata only, and takes whole objects from servers that cannot cut them down.
  private static final String METADATA_ONLY =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

  private static final String METADATA_LIST_ONLY =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

  /// How much longer than asked for a watch may last before its connection counts as dead.
  private static final Duration WATCH_SLACK = Duration.ofSeconds(15);

  private static final int PAGE = 500;

  private final Transport transport;
  private final @Nullable SharedWatches watches;

  public Client(Transport transport) {
    this(transport, null);
  }

  private Client(Transport transport, @Nullable SharedWatches watches) {
    this.transport = transport;
    this.watches = watches;
  }

  /// This client with informers that share their watches with those of other such clients.
  public Client sharing(SharedWatches shared) {
    return new Client(transport, shared);
  }

  /// The watches that its informers share, if they do.
  public Optional<SharedWatches> sharedWatches() {
    return Optional.ofNullable(watches);
  }

  public ObjectNode get(ResourceType type, ObjectKey key) {
    return object(ApiRequest.get(type.path(key)));
  }

  /// As `get`; empty when there is no such object.
  public Optional<ObjectNode> find(ResourceType type, ObjectKey key) {
    return unlessMissing(() -> get(type, key));
  }

  /// The document at any path, such as those of discovery.
  public ObjectNode getPath(String path) {
    return object(ApiRequest.get(path));
  }

  /// The metadata of one object, if it exists.
  public Optional<ObjectNode> findMetadata(ResourceType type, ObjectKey key) {
    return unlessMissing(() -> object(ApiRequest.get(type.path(key)).accepting(METADATA_ONLY)));
  }

  /// One page of a list.
  public ObjectPage list(ResourceType type, String namespace, ListOptions options) {
    return page(ApiRequest.get(type.path(namespace), options.query()));
  }

  /// As `list`, but of each object only its metadata.
  public ObjectPage listMetadata(ResourceType type, String namespace, ListOptions options) {
    return page(
        ApiRequest.get(type.path(namespace), options.query()).accepting(METADATA_LIST_ONLY));
  }

  /// As `list`, but of each object only what a reader keeps of its tokens. A tree of thousands of
  /// objects costs several times that.
  ///
  /// @param next is given the token of the next page, if there is one, as soon as it is known:
  ///   mostly before the objects are read
  public <T> TypedPage<T> list(
      ResourceType type,
      String namespace,
      ListOptions options,
      Function<JsonParser, T> reader,
      Consumer<String> next) {
    return raw(ApiRequest.get(type.path(namespace), options.query()))
        .read(in -> TypedPage.read(in, reader, next));
  }

  /// As `listMetadata`, read so.
  public <T> TypedPage<T> listMetadata(
      ResourceType type,
      String namespace,
      ListOptions options,
      Function<JsonParser, T> reader,
      Consumer<String> next) {
    return raw(ApiRequest.get(type.path(namespace), options.query()).accepting(METADATA_LIST_ONLY))
        .read(in -> TypedPage.read(in, reader, next));
  }

  /// All objects of a list, fetched in pages. Returns the version they show.
  public String listAll(
      ResourceType type, String namespace, ListOptions options, Consumer<ObjectNode> each) {
    ObjectPage page = list(type, namespace, options.limit() > 0 ? options : options.limited(PAGE));
    page.items().forEach(each);
    while (!page.continueToken().isEmpty()) {
      page = list(type, namespace, options.limited(PAGE).continuing(page.continueToken()));
      page.items().forEach(each);
    }
    return page.resourceVersion();
  }

  public ObjectNode create(ResourceType type, String namespace, ObjectNode object) {
    return object(ApiRequest.with("POST", type.path(namespace), Map.of(), object));
  }

  /// Replaces an object by what is given. With its resourceVersion inside it fails when another
  /// client wrote meanwhile.
  public ObjectNode update(ResourceType type, ObjectNode object) {
    return object(ApiRequest.with("PUT", type.path(ObjectKey.of(object)), Map.of(), object));
  }

  /// Replaces a part of an object through a subresource, such as `status` or `finalize`.
  public ObjectNode update(ResourceType type, String subresource, ObjectNode object) {
    String path = type.path(ObjectKey.of(object)) + "/" + subresource;
    return object(ApiRequest.with("PUT", path, Map.of(), object));
  }

  public ObjectNode patch(ResourceType type, ObjectKey key, PatchType language, JsonNode patch) {
    return object(
        ApiRequest.with("PATCH", type.path(key), Map.of(), patch).ofType(language.mediaType()));
  }

  /// Changes a part of an object through a subresource, such as `status`.
  public ObjectNode patch(
      ResourceType type, ObjectKey key, String subresource, PatchType language, JsonNode patch) {
    return object(
        ApiRequest.with("PATCH", type.path(key) + "/" + subresource, Map.of(), patch)
            .ofType(language.mediaType()));
  }

  /// Server-side apply: takes ownership of the fields given; with `force` also from others.
  public ObjectNode apply(ResourceType type, ObjectNode object, String manager, boolean force) {
    Map<String, String> query = Map.of("fieldManager", manager, "force", Boolean.toString(force));
    return object(
        ApiRequest.with("PATCH", type.path(ObjectKey.of(object)), query, object)
            .ofType(PatchType.APPLY.mediaType()));
  }

  /// Deletes an object, or marks it for deletion when it has finalizers or a period of grace.
  /// Returns what the server answers: the object, or a Status.
  public ObjectNode delete(ResourceType type, ObjectKey key, DeleteOptions options) {
    return object(ApiRequest.with("DELETE", type.path(key), Map.of(), options.toJson()));
  }

  /// Deletes everything a list would show.
  public void deleteCollection(
      ResourceType type, String namespace, ListOptions options, DeleteOptions how) {
    object(ApiRequest.with("DELETE", type.path(namespace), options.query(), how.toJson()));
  }

  /// Starts a watch. An error the server answers with in place of a stream is an `ApiException`.
  public WatchStream watch(ResourceType type, String namespace, WatchOptions options) {
    return watch(type, namespace, options, ApiRequest.JSON);
  }

  /// As `watch`, but of each object only its metadata.
  public WatchStream watchMetadata(ResourceType type, String namespace, WatchOptions options) {
    return watch(type, namespace, options, METADATA_ONLY);
  }

  private WatchStream watch(
      ResourceType type, String namespace, WatchOptions options, String accept) {
    ApiRequest request =
        ApiRequest.get(type.path(namespace), options.query())
            .accepting(accept)
            .within(options.timeout().plus(WATCH_SLACK));
    LineStream lines = transport.stream(request);
    if (lines.code() == 200) {
      return new Watching(lines);
    }
    try (lines) {
      StringBuilder text = new StringBuilder();
      for (Optional<byte[]> line = lines.next(); line.isPresent(); line = lines.next()) {
        text.append(new String(line.get(), StandardCharsets.UTF_8)).append('\n');
      }
      throw failure(
          new ApiResponse(lines.code(), text.toString().getBytes(StandardCharsets.UTF_8)));
    }
  }

  /// Sends any request; errors are thrown as elsewhere.
  public ApiResponse raw(ApiRequest request) {
    ApiResponse answer = transport.send(request);
    if (answer.code() >= 400) {
      throw failure(answer);
    }
    return answer;
  }

  @Override
  public void close() {
    transport.close();
  }

  private ObjectNode object(ApiRequest request) {
    return raw(request).object();
  }

  private ObjectPage page(ApiRequest request) {
    ObjectNode list = object(request);
    List<ObjectNode> items = new ArrayList<>(list.path("items").size());
    for (JsonNode item : list.path("items")) {
      if (item instanceof ObjectNode object) {
        items.add(object);
      }
    }
    return new ObjectPage(
        items,
        Json.textOr(list, "", "metadata", "resourceVersion"),
        Json.textOr(list, "", "metadata", "continue"));
  }

  private static Optional<ObjectNode> unlessMissing(java.util.function.Supplier<ObjectNode> read) {
    try {
      return Optional.of(read.get());
    } catch (ApiException e) {
      if (ApiErrors.isNotFound(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static ApiException failure(ApiResponse answer) {
    try {
      if (Json.parse(answer.text().getBytes(StandardCharsets.UTF_8)) instanceof ObjectNode body
          && "Status".equals(Json.text(body, "kind"))) {
        body.put("code", answer.code());
        return new ApiException(ApiErrors.read(body));
      }
    } catch (JacksonException _) {
      // A proxy in between answers in its own words; they are the message below.
    }
    String text = answer.text().strip();
    return new ApiException(
        Status.of(answer.code(), "", text.isEmpty() ? "HTTP " + answer.code() : text));
  }

  /// The lines of a watch, understood.
  private record Watching(LineStream lines) implements WatchStream {
    @Override
    public Optional<WatchStreamEvent> next() {
      Optional<byte[]> line = lines.next();
      while (line.isPresent() && line.get().length == 0) {
        line = lines.next();
      }
      return line.map(WatchStreamEvent::read);
    }

    @Override
    public void close() {
      lines.close();
    }
  }
}
