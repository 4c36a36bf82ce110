package io.fairlead.server.admission.webhook;

import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.cel.CelAuthorizer;

/// Asks the server's own authorizer for the user of a request.
record RequestAuthorizer(Authorizer authorizer, UserInfo user) implements CelAuthorizer {
  @Override
  public CelAuthorizer of(String namespace, String serviceAccount) {
    return new RequestAuthorizer(authorizer, UserInfo.serviceAccount(namespace, serviceAccount));
  }

  @Override
  public Answer path(String path, String verb) {
    return answer(new Authorizer.Attributes(user, verb, "", "", "", "", "", "", path));
  }

  @Override
  public Answer resource(Target target, String verb) {
    return answer(
        new Authorizer.Attributes(
            user,
            verb,
            target.group(),
            "*",
            target.resource(),
            target.subresource(),
            target.namespace(),
            target.name(),
            ""));
  }

  private Answer answer(Authorizer.Attributes asked) {
    Authorizer.Decision decision = authorizer.authorize(asked);
    return new Answer(decision.allowed(), decision.reason());
  }
}
