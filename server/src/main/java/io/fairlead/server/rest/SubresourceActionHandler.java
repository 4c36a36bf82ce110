package io.fairlead.server.rest;

import io.fairlead.http.server.QueryParameters;
import io.fairlead.server.admission.webhook.AdmissionAttributes.Operation;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resource.Subresource.ObjectWriter;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Runs actions: POST to `…/binding`, `…/eviction`, `…/token`.
final class SubresourceActionHandler {
  private final RestDependencies core;
  private final UpdateHandler updates;
  private final DeleteHandler deletes;
  private final AdmissionSteps admission;

  SubresourceActionHandler(RestDependencies core, UpdateHandler updates, DeleteHandler deletes) {
    this.core = core;
    this.updates = updates;
    this.deletes = deletes;
    this.admission = new AdmissionSteps(core);
  }

  Subresource.Answer post(ResourceRequest call, Subresource.Action action) {
    WriteOptions options = WriteOptions.parse(call.exchange(), "CreateOptions", false);
    BodyDecoder.Expected expected = BodyDecoder.Expected.of(action, call.resource());
    ObjectNode sent = BodyDecoder.read(call, expected, options);
    ObjectMetadata.matchPath(sent, call.namespace(), call.descriptor().namespaced(), "");
    call.setDryRun(options.dryRun());
    ObjectNode body = admission.mutate(call, Operation.CREATE, expected, sent, null, _ -> {});
    admission.validate(call, Operation.CREATE, expected, body, null);
    return action.post(call.name(), body, call, new Writer(call, call.resource(), options));
  }

  /// Writes parents through the ordinary machinery.
  private final class Writer implements ObjectWriter {
    private final ResourceRequest call;
    private final Resource resource;
    private final WriteOptions options;

    Writer(ResourceRequest call, Resource resource, WriteOptions options) {
      this.call = call;
      this.resource = resource;
      this.options = options;
    }

    @Override
    public @Nullable ObjectNode read(String name) {
      String key = resource.descriptor().key(call.namespace(), name);
      StoredObjects.StoredObject found = StoredObjects.read(core.store(), resource, key);
      return found == null ? null : found.tree();
    }

    @Override
    public ObjectNode update(String name, UnaryOperator<ObjectNode> change) {
      ResourceRequest about = call.about(resource, call.namespace(), name);
      return updates
          .update(about, new UpdateHandler.Route.Action(), change::apply, options)
          .object();
    }

    @Override
    public ObjectNode delete(String name, ObjectNode deleteOptions) {
      ResourceRequest about = call.about(resource, call.namespace(), name);
      DeleteRequestOptions parsed = DeleteRequestOptions.parse(deleteOptions, QueryParameters.NONE);
      return deletes.delete(about, options.dryRun() ? parsed.withDryRun() : parsed).object();
    }

    @Override
    public ObjectWriter dryRun() {
      return new Writer(call, resource, options.withDryRun());
    }

    @Override
    public ObjectWriter of(String group, String plural, String namespace) {
      Resource other = core.registry().find(group, plural);
      if (other == null) {
        throw new IllegalArgumentException("no resource " + plural + " in group " + group);
      }
      return new Writer(call.about(other, namespace, ""), other, options);
    }
  }
}
