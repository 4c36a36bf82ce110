package io.fairlead.server.resources.review;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.Authenticator.Reviewed;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Whose token is this?
public final class TokenReviewResource extends ReviewResource {
  public TokenReviewResource() {
    super(
        ResourceDescriptorBuilder.cluster("authentication.k8s.io", "tokenreviews", "TokenReview")
            .createOnly()
            .build());
  }

  @Override
  void review(ObjectNode spec, ObjectNode metadata, ObjectNode status, RequestContext context) {
    String token = spec.path("token").asString("");
    if (token.isEmpty()) {
      throw ApiException.badRequest("token is required for TokenReview in authentication");
    }
    try {
      Reviewed reviewed = context.authenticator().review(token, strings(spec.path("audiences")));
      status.put("authenticated", true);
      showUser(status.putObject("user"), reviewed.user());
      if (!reviewed.audiences().isEmpty()) {
        ArrayNode shown = status.putArray("audiences");
        reviewed.audiences().forEach(shown::add);
      }
    } catch (ApiException refused) {
      refuse(status, refused.status().message());
    }
  }

  private static void refuse(ObjectNode status, String why) {
    status.putObject("user");
    status.put("error", why);
  }

  private static List<String> strings(JsonNode list) {
    List<String> all = new ArrayList<>();
    list.forEach(item -> all.add(item.asString("")));
    return all;
  }
}
