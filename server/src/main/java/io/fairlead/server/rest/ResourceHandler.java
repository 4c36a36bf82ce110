package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.cache.Listing;
import io.fairlead.server.render.Answers;
import io.fairlead.server.render.Format;
import io.fairlead.server.render.Negotiation;
import io.fairlead.server.render.Negotiation.Subject;
import io.fairlead.server.resource.Descriptor;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.stream.NodeDirectory;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Serves requests for resources: finds the verb's machinery and sends what it answers.
public final class ResourceHandler {
  private final Core core;
  private final Reads reads;
  private final Watches watches;
  private final Creates creates;
  private final Updates updates;
  private final Deletes deletes;
  private final Collections collections;
  private final Subresources subresources;
  private final NodeSubresources nodes;

  public ResourceHandler(Core core, Ownership ownership, NodeDirectory directory) {
    this.core = core;
    this.reads = new Reads(core.caches());
    this.watches = new Watches(core);
    this.creates = new Creates(core, new Namespaces(core), ownership);
    this.updates = new Updates(core, creates, ownership);
    this.deletes = new Deletes(core);
    this.collections = new Collections(reads, deletes);
    this.subresources = new Subresources(core, updates, deletes);
    this.nodes = new NodeSubresources(core, reads, directory);
  }

  /// How many watches are open.
  public int openWatches() {
    return watches.open();
  }

  /// Writes what the server itself keeps.
  public InternalWriter internalWriter() {
    return new InternalWriter(core, creates, updates);
  }

  /// Answers a request that was allowed.
  public void handle(Call call) throws IOException, InterruptedException {
    String deprecation = call.resource().deprecation(core.emulatedMinor());
    if (deprecation != null) {
      call.warn(deprecation);
    }
    if (!call.info().subresource().isEmpty()) {
      handleSubresource(call);
      return;
    }
    boolean item = !call.name().isEmpty();
    Descriptor descriptor = call.descriptor();
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
      case "watch" -> watches.serve(call, format(call, Subject.WATCH));
      case "create" -> create(call);
      case "update" -> put(call, null);
      case "patch" -> patch(call, null);
      case "delete" -> delete(call);
      default -> deleteCollection(call);
    }
  }

  private void get(Call call) throws IOException {
    Format format = format(call, Subject.ITEM);
    Answers.cached(
        call.exchange(), format, reads.get(call), call.resource(), core.clock().instant());
  }

  private void list(Call call) throws IOException {
    Format format = format(call, Subject.LIST);
    Listing listing = reads.list(call);
    Answers.list(call.exchange(), format, listing, call.resource(), core.clock().instant());
  }

  private void create(Call call) throws IOException {
    Format format = format(call, Subject.ITEM);
    WriteOptions options = WriteOptions.parse(call.exchange(), "CreateOptions", false);
    ObjectNode body = BodyDecoder.read(call, BodyDecoder.Expected.of(call.descriptor()), options);
    call.setDryRun(options.dryRun());
    ObjectNode answer = answer(call, body);
    if (answer == null) {
      answer = creates.create(call, body, options, false);
    }
    byte[] stored = format.isPlain() ? call.answer() : null;
    if (stored != null) {
      Answers.bytes(call.exchange(), format.contentType(), 201, stored);
      return;
    }
    send(call, format, 201, answer);
  }

  /// The answer of a resource that stores nothing, or null.
  private static @Nullable ObjectNode answer(Call call, ObjectNode body) {
    if (!call.descriptor().storagePrefix().isEmpty()) {
      return null;
    }
    ObjectMetadata.matchPath(body, call.namespace(), call.descriptor().namespaced(), "");
    call.resource().applyDefaults(body);
    ObjectNode answer = call.resource().answer(body, call);
    if (answer == null) {
      throw ApiException.methodNotAllowed();
    }
    return answer;
  }

  private void put(Call call, Subresource.@Nullable View view) throws IOException {
    Format format = format(call, view);
    WriteOptions options = WriteOptions.parse(call.exchange(), "UpdateOptions", false);
    BodyDecoder.Expected expected =
        view == null ? BodyDecoder.Expected.of(call.descriptor()) : BodyDecoder.Expected.of(view);
    ObjectNode body = BodyDecoder.read(call, expected, options);
    boolean creates = view == null && call.resource().createsOnUpdate();
    Updates.Result result =
        updates.update(call, route(view), new Replacement(body, creates), options);
    send(call, format, result.created() ? 201 : 200, shown(view, result.object()));
  }

  private void patch(Call call, Subresource.@Nullable View view) throws IOException {
    Format format = format(call, view);
    Patching.Patch patch = Patching.read(call, view);
    Updates.Result result = updates.update(call, route(view), patch, patch.options());
    send(call, format, result.created() ? 201 : 200, shown(view, result.object()));
  }

  private void delete(Call call) throws IOException {
    Format format = format(call, Subject.ITEM);
    DeleteOptions options = BodyDecoder.deleteOptions(call);
    Deletes.Result result = deletes.delete(call, options);
    ObjectNode answer = Deletes.answer(call, result);
    boolean accepted = !result.removed() && Boolean.FALSE.equals(options.orphanDependents());
    if (Json.textOr(answer, "", "kind").equals("Status")) {
      Answers.tree(call.exchange(), format.asObject(), 200, answer);
    } else {
      send(call, format, accepted ? 202 : 200, answer);
    }
  }

  private void deleteCollection(Call call) throws IOException {
    Format format = format(call, Subject.LIST);
    DeleteOptions options = BodyDecoder.deleteOptions(call);
    Listing deleted = collections.delete(call, options);
    Answers.list(call.exchange(), format, deleted, call.resource(), core.clock().instant());
  }

  private void handleSubresource(Call call) throws IOException {
    Subresource subresource = Registry.subresource(call.resource(), call.info().subresource());
    if (subresource == null
        || (!call.info().rest().isEmpty() && !(subresource instanceof Subresource.Connect))) {
      throw ApiException.noSuchResource();
    }
    String verb = call.verb();
    boolean head = call.exchange().method().equals("HEAD");
    if (!subresource.verbs().contains(verb) || (head && !subresource.name().equals("proxy"))) {
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
        Format format = format(call, Subject.ITEM, action.schemaName());
        Subresource.Answer answer = subresources.post(call, action);
        Answers.tree(call.exchange(), format.asObject(), answer.code(), answer.body());
      }
      case Subresource.Connect _ -> nodes.serve(call);
    }
  }

  private static ObjectNode shown(Subresource.@Nullable View view, ObjectNode object) {
    return view == null ? object : view.view(object);
  }

  private static Updates.Route route(Subresource.@Nullable View view) {
    return view == null ? new Updates.Route.Whole() : new Updates.Route.Through(view);
  }

  private static Format format(Call call, Subject subject) {
    return format(call, subject, call.descriptor().schemaName());
  }

  private static Format format(Call call, Subresource.@Nullable View view) {
    return format(
        call, Subject.ITEM, view == null ? call.descriptor().schemaName() : view.schemaName());
  }

  private static Format format(Call call, Subject subject, String schemaName) {
    return Negotiation.choose(call.exchange(), subject, schemaName);
  }

  private void send(Call call, Format format, int code, ObjectNode object) throws IOException {
    Answers.object(call.exchange(), format, code, object, call.resource(), core.clock().instant());
  }

  /// A PUT: the body as it came, every time it is tried.
  private record Replacement(ObjectNode body, boolean creates) implements Updates.Change {
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
