package io.fairlead.app.review;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.UserInfo;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Has the API server say who may read a path or use a resource. An answer is believed for ten
/// seconds.
public final class SubjectAccessReviewAuthorizer implements Authorizer {
  private static final ResourceType REVIEWS =
      new ResourceType(
          "authorization.k8s.io", "v1", "subjectaccessreviews", "SubjectAccessReview", false);

  private final Client client;
  private final ExpiringCache<Attributes, Decision> known;

  public SubjectAccessReviewAuthorizer(Client client, ExpiringCache<Attributes, Decision> known) {
    this.client = client;
    this.known = known;
  }

  @Override
  public Decision authorize(Attributes attributes) {
    return known.get(attributes, () -> review(attributes));
  }

  @Override
  public List<Rule> rules(UserInfo user, String namespace) {
    throw new UnsupportedOperationException("only the API server knows the rules");
  }

  private Decision review(Attributes attributes) {
    ObjectNode review =
        Json.object().put("kind", REVIEWS.kind()).put("apiVersion", REVIEWS.apiVersion());
    ObjectNode spec = review.putObject("spec");
    spec.put("user", attributes.user().name()).put("uid", attributes.user().uid());
    attributes.user().groups().forEach(spec.putArray("groups")::add);
    ObjectNode extra = spec.putObject("extra");
    attributes
        .user()
        .extra()
        .forEach(
            (key, values) -> {
              ArrayNode list = extra.putArray(key);
              values.forEach(list::add);
            });
    if (attributes.resource().isEmpty()) {
      spec.putObject("nonResourceAttributes")
          .put("path", attributes.path())
          .put("verb", attributes.verb());
    } else {
      spec.putObject("resourceAttributes")
          .put("verb", attributes.verb())
          .put("group", attributes.group())
          .put("version", attributes.version())
          .put("resource", attributes.resource())
          .put("subresource", attributes.subresource())
          .put("namespace", attributes.namespace())
          .put("name", attributes.name());
    }
    try {
      JsonNode status = client.create(REVIEWS, "", review).path("status");
      return new Decision(
          status.path("allowed").asBoolean(false), Json.textOr(status, "", "reason"));
    } catch (ApiException | ConnectionException e) {
      throw new ApiException(
          Status.of(503, "ServiceUnavailable", "permissions cannot be checked: " + e.getMessage()));
    }
  }
}
