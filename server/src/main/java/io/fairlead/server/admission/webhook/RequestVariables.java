package io.fairlead.server.admission.webhook;

import io.fairlead.server.cel.CelAuthorizer;
import io.fairlead.server.cel.CelValues;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// What expressions are told of a request: `object`, `oldObject`, `request` and `authorizer`.
public final class RequestVariables {
  private RequestVariables() {}

  /// A map of the caller's own.
  ///
  /// @param asked the request as it came
  /// @param shown the same in the version that the rules name
  public static Map<String, Object> of(AdmissionAttributes asked, AdmissionAttributes shown) {
    Map<String, Object> variables = new HashMap<>();
    variables.put("object", CelValues.of(shown.object()));
    variables.put("oldObject", CelValues.of(shown.old()));
    ObjectNode request =
        (ObjectNode) AdmissionReviews.request("v1", "", asked, shown).path("request");
    request.remove(java.util.List.of("uid", "object", "oldObject"));
    variables.put("request", CelValues.of(request));
    CelAuthorizer authorizer =
        new RequestAuthorizer(asked.context().authorizer(), asked.context().user());
    variables.put("authorizer", CelValues.subject(authorizer));
    variables.put(
        "authorizer.requestResource",
        CelValues.resourceCheck(
            authorizer,
            new CelAuthorizer.Target(
                asked.descriptor().group(),
                asked.descriptor().plural(),
                asked.subresource(),
                asked.namespace(),
                asked.name())));
    return variables;
  }
}
