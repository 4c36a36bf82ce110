package io.fairlead.server.auth;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.Authorizer.Decision;

/// The answer to a user who may not do what the request asks for.
public final class Forbidden {
  private Forbidden() {}

  /// Throws 403 unless the authorizer lets it pass.
  public static Decision check(Authorizer authorizer, Attributes attributes) {
    Decision decision = authorizer.authorize(attributes);
    if (!decision.allowed()) {
      throw answer(attributes, decision.reason());
    }
    return decision;
  }

  /// @param reason more than "no rule allows it"; mostly empty
  public static ApiException answer(Attributes attributes, String reason) {
    String text =
        "User \""
            + attributes.user().name()
            + "\" cannot "
            + attributes.verb()
            + " "
            + object(attributes)
            + (reason.isEmpty() ? "" : ": " + reason);
    return attributes.resource().isEmpty()
        ? new ApiException(
            Status.of(403, "Forbidden", "forbidden: " + text).withDetails(Status.Details.EMPTY))
        : ApiException.forbidden(
            attributes.group(), attributes.resource(), attributes.name(), text);
  }

  private static String object(Attributes attributes) {
    if (attributes.resource().isEmpty()) {
      return "path \"" + attributes.path() + "\"";
    }
    String resource =
        attributes.subresource().isEmpty()
            ? attributes.resource()
            : attributes.resource() + "/" + attributes.subresource();
    return "resource \""
        + resource
        + "\" in API group \""
        + attributes.group()
        + "\" "
        + (attributes.namespace().isEmpty()
            ? "at the cluster scope"
            : "in the namespace \"" + attributes.namespace() + "\"");
  }
}
