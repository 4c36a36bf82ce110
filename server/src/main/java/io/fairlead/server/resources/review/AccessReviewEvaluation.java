package io.fairlead.server.resources.review;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resources.kind.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What the access reviews have in common: reading the question and showing the answer.
final class AccessReviewEvaluation {
  private AccessReviewEvaluation() {}

  /// Refuses a question that asks for nothing or for two things.
  static void check(ObjectNode spec, boolean namesUser, ResourceDescriptor descriptor) {
    Problems problems = new Problems();
    boolean resource = spec.path("resourceAttributes").isObject();
    boolean path = spec.path("nonResourceAttributes").isObject();
    if (resource && path) {
      problems.invalid(
          "spec.nonResourceAttributes",
          spec.path("nonResourceAttributes"),
          "cannot be specified in combination with resourceAttributes");
    } else if (!resource && !path) {
      problems.invalid(
          "spec.resourceAttributes",
          tools.jackson.databind.node.JsonNodeFactory.instance.nullNode(),
          "exactly one of nonResourceAttributes or resourceAttributes must be specified");
    }
    if (namesUser && spec.path("user").asString("").isEmpty() && spec.path("groups").isEmpty()) {
      problems.invalid("spec.user", "", "at least one of user or group must be specified");
    }
    if (!problems.isEmpty()) {
      throw ApiException.invalid(descriptor.group(), descriptor.kind(), "", problems.list());
    }
  }

  /// Asks for that user and shows the answer.
  static void answer(ObjectNode spec, UserInfo user, ObjectNode status, RequestContext context) {
    Authorizer.Decision decision = context.authorizer().authorize(attributes(spec, user));
    status.put("allowed", decision.allowed());
    if (!decision.reason().isEmpty()) {
      status.put("reason", decision.reason());
    }
  }

  /// The user that the question names.
  static UserInfo user(ObjectNode spec) {
    List<String> groups = new ArrayList<>();
    spec.path("groups").forEach(group -> groups.add(group.asString("")));
    Map<String, List<String>> extra = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : spec.path("extra").properties()) {
      List<String> values = new ArrayList<>();
      entry.getValue().forEach(value -> values.add(value.asString("")));
      extra.put(entry.getKey(), values);
    }
    return new UserInfo(
        spec.path("user").asString(""), spec.path("uid").asString(""), groups, extra);
  }

  private static Authorizer.Attributes attributes(ObjectNode spec, UserInfo user) {
    JsonNode path = spec.path("nonResourceAttributes");
    if (path.isObject()) {
      return new Authorizer.Attributes(
          user,
          path.path("verb").asString(""),
          "",
          "",
          "",
          "",
          "",
          "",
          path.path("path").asString(""));
    }
    JsonNode resource = spec.path("resourceAttributes");
    return new Authorizer.Attributes(
        user,
        resource.path("verb").asString(""),
        resource.path("group").asString(""),
        resource.path("version").asString(""),
        resource.path("resource").asString(""),
        resource.path("subresource").asString(""),
        resource.path("namespace").asString(""),
        resource.path("name").asString(""),
        "");
  }
}
