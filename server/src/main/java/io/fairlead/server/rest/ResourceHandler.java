package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.admission.webhook.AdmissionAttributes.Operation;
import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.ListPage;
import io.fairlead.server.render.Negotiation;
import io.fairlead.server.render.Negotiation.RequestScope;
import io.fairlead.server.render.ResponseFormat;
import io.fairlead.server.render.ResponseWriter;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.stream.NodeDirectory;
import java.io.IOException;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Serves requests for resources: finds the verb's machinery and sends what it answers.
public final class ResourceHandler {
  private final RestDependencies core;
  private final ReadHandler reads;
  private final WatchHandler watches;
  private final CreateHandler creates;
  private final UpdateHandler updates;
  private final DeleteHandler deletes;
  private final DeleteCollectionHandler collections;
  private final SubresourceActionHandler subresources;
  private final ConnectHandler nodes;
  private final AdmissionSteps admission;

  /// @param watchTimer wakes watches whose time is over or that are due a bookmark
  public ResourceHandler(
      RestDependencies core,
      FieldOwnershipTracker ownership,
      NodeDirectory directory,
      ScheduledExecutorService watchTimer) {
    this.core = core;
    this.admission = new AdmissionSteps(core);
    this.reads = new ReadHandler(core.caches());
    this.watches = new WatchHandler(core, watchTimer);
    this.creates = new CreateHandler(core, new NamespaceLifecycle(core), ownership);
    this.updates = new UpdateHandler(core, creates, ownership);
    this.deletes = new DeleteHandler(core);
    this.collections = new DeleteCollectionHandler(reads, deletes);
    this.subresources = new SubresourceActionHandler(core, updates, deletes);
    this.nodes = new ConnectHandler(core, reads, directory);
  }

  /// How many watches are open.
  public int openWatches() {
    return watches.open();
  }

  /// Writes what the server itself keeps.
  public InternalWriter internalWriter() {
    return new InternalWriter(core, creates, updates, deletes);
  }

  /// Answers a request that was allowed.
  public void handle(ResourceRequest call) throws IOException, InterruptedException {
    String deprecation = call.resource().deprecation(core.emulatedMinor());
    if (deprecation != null) {
      call.warn(deprecation);
    }
    if (core.warnsOfUnserved()) {
      UnservedResources.warning(call.info()).ifPresent(call::warn);
    }
    if (!call.info().subresource().isEmpty()) {
      handleSubresource(call);
      return;
    }
    boolean item = !call.name().isEmpty();
    ResourceDescriptor descriptor = call.descriptor();
    String verb = call.verb();
    boolean fits =
        switch (verb) {
          case "get", "update", "patch", "delete" -> item;
          case "create", "deletecollection" -> !item;
          case "list" -> !item;
          case "watch" -> !item || call.info().legacyWatch();
          default -> false;
        };
    if (!fits || !descriptor.verbs().contains(verb) || call.exchange().method().equals("HEAD")) {
      throw ApiException.methodNotAllowed();
    }
    switch (verb) {
      case "get" -> get(call);
      case "list" -> list(call);
      case "watch" -> watches.serve(call, format(call, RequestScope.WATCH));
      case "create" -> create(call);
      case "update" -> put(call, null);
      case "patch" -> patch(call, null);
      case "delete" -> delete(call);
      default -> deleteCollection(call);
    }
  }

  private void get(ResourceRequest call) throws IOException {
    ResponseFormat format = format(call, RequestScope.ITEM);
    ResponseWriter.cached(
        call.exchange(),
        format,
        reads.get(call),
        call.resource(),
        call.reader(),
        core.clock().instant());
  }

  private void list(ResourceRequest call) throws IOException {
    ResponseFormat format = format(call, RequestScope.LIST);
    ListPage listing = reads.list(call);
    if (call.resource().convertsRemotely()) {
      // What cannot be converted must be known before the answer begins.
      CachedObject.prepare(listing.items());
    }
    ResponseWriter.list(
        call.exchange(), format, listing, call.resource(), call.reader(), core.clock().instant());
  }

  private void create(ResourceRequest call) throws IOException {
    ResponseFormat format = format(call, RequestScope.ITEM);
    if (format.shape() == ResponseFormat.Shape.TABLE
        && call.descriptor().storagePrefix().isEmpty()) {
      throw Negotiation.notAcceptable();
    }
    WriteOptions options = WriteOptions.parse(call.exchange(), "CreateOptions", false);
    ObjectNode body = BodyDecoder.read(call, BodyDecoder.Expected.of(call.resource()), options);
    call.setDryRun(options.dryRun());
    ObjectNode answer = answer(call, body);
    if (answer == null) {
      answer = creates.create(call, body, options, false);
    }
    byte[] stored = format.isPlain() ? call.answer() : null;
    if (stored != null) {
      ResponseWriter.bytes(call.exchange(), format.contentType(), 201, stored);
      return;
    }
    send(call, format, 201, answer);
  }

  /// The answer of a resource that stores nothing, or null.
  private @Nullable ObjectNode answer(ResourceRequest call, ObjectNode sent) {
    if (!call.descriptor().storagePrefix().isEmpty()) {
      return null;
    }
    ObjectMetadata.matchPath(sent, call.namespace(), call.descriptor().namespaced(), "");
    call.resource().applyDefaults(sent);
    BodyDecoder.Expected expected = BodyDecoder.Expected.of(call.resource());
    ObjectNode body = admission.mutate(call, Operation.CREATE, expected, sent, null, _ -> {});
    admission.validate(call, Operation.CREATE, expected, body, null);
    ObjectNode answer = call.resource().answer(body, call);
    if (answer == null) {
      throw ApiException.methodNotAllowed();
    }
    return answer;
  }

  private void put(ResourceRequest call, Subresource.@Nullable View view) throws IOException {
    ResponseFormat format = format(call, view);
    WriteOptions options = WriteOptions.parse(call.exchange(), "UpdateOptions", false);
    ObjectNode body = BodyDecoder.read(call, BodyDecoder.Expected.of(call, view), options);
    if (ObjectMetadata.name(body).isEmpty()) {
      throw ApiException.badRequest(
          "the name of the object ("
              + call.name()
              + " based on URL) was undeterminable: name must be provided");
    }
    boolean creates = view == null && call.resource().createsOnUpdate();
    UpdateHandler.Result result =
        updates.update(call, route(view), new Replacement(body, creates), options);
    send(call, format, result.created() ? 201 : 200, shown(view, result.object()));
  }

  private void patch(ResourceRequest call, Subresource.@Nullable View view) throws IOException {
    ResponseFormat format = format(call, view);
    PatchReader.Patch patch = PatchReader.read(call, view);
    UpdateHandler.Result result = updates.update(call, route(view), patch, patch.options());
    send(call, format, result.created() ? 201 : 200, shown(view, result.object()));
  }

  private void delete(ResourceRequest call) throws IOException {
    ResponseFormat format = format(call, RequestScope.ITEM);
    DeleteRequestOptions options = BodyDecoder.deleteOptions(call);
    DeleteHandler.Result result = deletes.delete(call, options);
    ObjectNode answer = DeleteHandler.answer(call, result);
    boolean accepted = !result.removed() && Boolean.FALSE.equals(options.orphanDependents());
    if (Json.textOr(answer, "", "kind").equals("Status")) {
      ResponseWriter.tree(call.exchange(), format.asObject(), 200, answer);
    } else {
      send(call, format, accepted ? 202 : 200, answer);
    }
  }

  private void deleteCollection(ResourceRequest call) throws IOException {
    ResponseFormat format = format(call, RequestScope.LIST);
    DeleteRequestOptions options = BodyDecoder.deleteOptions(call);
    ListPage deleted = collections.delete(call, options);
    ResponseWriter.list(
        call.exchange(), format, deleted, call.resource(), call.reader(), core.clock().instant());
  }

  private void handleSubresource(ResourceRequest call) throws IOException {
    Subresource subresource =
        ResourceRegistry.subresource(call.resource(), call.info().subresource());
    if (subresource == null
        || (!call.info().rest().isEmpty() && !(subresource instanceof Subresource.Connect))) {
      throw ApiException.noSuchResource();
    }
    String verb = call.verb();
    boolean head = call.exchange().method().equals("HEAD");
    boolean proxy = subresource.name().equals("proxy");
    boolean known =
        subresource.verbs().contains(verb) || (proxy && call.exchange().method().equals("OPTIONS"));
    if (!known || (head && !proxy)) {
      throw ApiException.methodNotAllowed();
    }
    switch (subresource) {
      case Subresource.View view -> {
        switch (verb) {
          case "get" -> send(call, format(call, view), 200, view.view(reads.get(call).tree()));
          case "update" -> put(call, view);
          case "patch" -> patch(call, view);
          default -> throw ApiException.methodNotAllowed();
        }
      }
      case Subresource.Action action -> {
        if (!verb.equals("create")) {
          throw ApiException.methodNotAllowed();
        }
        ResponseFormat format = format(call, RequestScope.ITEM, action.schemaName());
        Subresource.Answer answer = subresources.post(call, action);
        ResponseWriter.tree(call.exchange(), format.asObject(), answer.code(), answer.body());
      }
      case Subresource.Connect _ -> nodes.serve(call);
    }
  }

  private static ObjectNode shown(Subresource.@Nullable View view, ObjectNode object) {
    return view == null ? object : view.view(object);
  }

  private static UpdateHandler.Route route(Subresource.@Nullable View view) {
    return view == null ? new UpdateHandler.Route.Whole() : new UpdateHandler.Route.Through(view);
  }

  private static ResponseFormat format(ResourceRequest call, RequestScope subject) {
    return format(call, subject, call.descriptor().schemaName());
  }

  private static ResponseFormat format(ResourceRequest call, Subresource.@Nullable View view) {
    return format(
        call, RequestScope.ITEM, view == null ? call.descriptor().schemaName() : view.schemaName());
  }

  private static ResponseFormat format(
      ResourceRequest call, RequestScope subject, String schemaName) {
    return Negotiation.choose(call.exchange(), subject, schemaName, call.resource().hasProtobuf());
  }

  private void send(ResourceRequest call, ResponseFormat format, int code, ObjectNode object)
      throws IOException {
    ResponseWriter.object(
        call.exchange(),
        format,
        code,
        object,
        call.resource(),
        call.reader(),
        core.clock().instant());
  }

  /// A PUT: the body as it came, every time it is tried.
  private record Replacement(ObjectNode body, boolean creates) implements UpdateHandler.Change {
    @Override
    public ObjectNode apply(ObjectNode current) {
      return body.deepCopy();
    }

    @Override
    public @Nullable ObjectNode fromNothing() {
      return creates ? body.deepCopy() : null;
    }

    @Override
    public boolean isPatch() {
      return false;
    }
  }
}
