package io.fairlead.server.crd;

import io.fairlead.server.webhook.WebhookCaller;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import tools.jackson.databind.node.ObjectNode;

/// Makes an object of one version one of another.
public interface Conversion {
  /// The strategy `None`: the versions differ in nothing but their names.
  Conversion NONE =
      (object, apiVersion) -> {
        ObjectNode converted = object.deepCopy();
        converted.put("apiVersion", apiVersion);
        return converted;
      };

  /// How the objects of definitions are converted when webhooks are called like this.
  static Function<Definition, Conversion> by(WebhookCaller caller, RandomGenerator random) {
    return definition ->
        definition.convertsByWebhook()
            ? new WebhookConversion(
                definition, caller, () -> new UUID(random.nextLong(), random.nextLong()))
            : NONE;
  }

  /// The object as that version has it. A tree of the caller's own; the argument is not changed.
  ///
  /// @throws io.fairlead.api.status.ApiException when it cannot be made
  ObjectNode convert(ObjectNode object, String apiVersion);
}
