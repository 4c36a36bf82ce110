package io.fairlead.server.resources.review;

import io.fairlead.api.json.Json;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.StoredResource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A question that is answered at once: the body comes back with a status.
abstract class ReviewResource extends StoredResource {
  ReviewResource(ResourceDescriptor descriptor) {
    super(descriptor, NameValidator.SUBDOMAIN);
  }

  @Override
  public final ObjectNode answer(ObjectNode body, RequestContext context) {
    ObjectNode answer = Json.object();
    answer.put("kind", descriptor().kind()).put("apiVersion", descriptor().apiVersion());
    ObjectNode metadata = answer.putObject("metadata");
    if (body.get("metadata") instanceof ObjectNode given) {
      metadata.setAll(given);
    }
    if (body.get("spec") instanceof ObjectNode spec) {
      answer.set("spec", spec);
    }
    ObjectNode status = Json.object();
    review(Json.child(body, "spec"), metadata, status, context);
    answer.set("status", status);
    return answer;
  }

  /// Fills in the status.
  abstract void review(
      ObjectNode spec, ObjectNode metadata, ObjectNode status, RequestContext context);

  static void showUser(ObjectNode into, UserInfo user) {
    into.put("username", user.name());
    if (!user.uid().isEmpty()) {
      into.put("uid", user.uid());
    }
    if (!user.groups().isEmpty()) {
      ArrayNode groups = into.putArray("groups");
      user.groups().forEach(groups::add);
    }
    if (!user.extra().isEmpty()) {
      ObjectNode extra = into.putObject("extra");
      for (Map.Entry<String, List<String>> entry : new TreeMap<>(user.extra()).entrySet()) {
        ArrayNode values = extra.putArray(entry.getKey());
        entry.getValue().forEach(values::add);
      }
    }
  }
}
