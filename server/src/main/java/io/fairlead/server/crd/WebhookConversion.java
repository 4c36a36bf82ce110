package io.fairlead.server.crd;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.resources.custom.Conversion;
import io.fairlead.server.resources.custom.Definition;
import io.fairlead.server.resources.custom.SchemaCompiler;
import io.fairlead.server.webhook.WebhookCaller;
import io.fairlead.server.webhook.WebhookClientConfig;
import io.fairlead.server.webhook.WebhookException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The strategy `Webhook`: a program of the definition's author makes one version of the other. An
/// object that has the wanted version already is not sent. Of the metadata only labels and
/// annotations may come back changed.
public final class WebhookConversion implements Conversion {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final List<String> REVIEWS = List.of("v1", "v1beta1");

  private final Definition definition;
  private final WebhookCaller caller;
  private final Supplier<UUID> uids;

  WebhookConversion(Definition definition, WebhookCaller caller, Supplier<UUID> uids) {
    this.definition = definition;
    this.caller = caller;
    this.uids = uids;
  }

  /// How the objects of definitions are converted when webhooks are called like this.
  public static Function<Definition, Conversion> by(WebhookCaller caller, RandomGenerator random) {
    return definition ->
        definition.convertsByWebhook()
            ? new WebhookConversion(
                definition, caller, () -> new UUID(random.nextLong(), random.nextLong()))
            : Conversion.NONE;
  }

  @Override
  public ObjectNode convert(ObjectNode object, String apiVersion) {
    String given = Json.textOr(object, "", "apiVersion");
    if (given.equals(apiVersion)) {
      return object.deepCopy();
    }
    try {
      return asked(object, apiVersion);
    } catch (WebhookException e) {
      throw failed(given, String.valueOf(e.getMessage()));
    }
  }

  private ApiException failed(String given, String why) {
    return new ApiException(
        Status.of(
            500,
            "",
            "conversion webhook for " + given + ", Kind=" + definition.kind() + " failed: " + why));
  }

  private ObjectNode asked(ObjectNode object, String apiVersion) throws WebhookException {
    String given = Json.textOr(object, "", "apiVersion");
    String uid = uids.get().toString();
    ObjectNode review = Json.object();
    review.put("kind", "ConversionReview").put("apiVersion", "apiextensions.k8s.io/" + version());
    ObjectNode request = review.putObject("request");
    request.put("uid", uid).put("desiredAPIVersion", apiVersion);
    request.putArray("objects").add(object);
    JsonNode config = definition.conversion().path("webhook").path("clientConfig");
    JsonNode response =
        caller.call(WebhookClientConfig.of(config), review, TIMEOUT).path("response");
    if (!Json.textOr(response, "", "uid").equals(uid)) {
      throw failed(
          given,
          "expected response.uid=\""
              + uid
              + "\", got \""
              + Json.textOr(response, "", "uid")
              + "\"");
    }
    if (!Json.textOr(response, "", "result", "status").equals("Success")) {
      throw failed(given, Json.textOr(response, "", "result", "message"));
    }
    JsonNode converted = response.path("convertedObjects");
    if (converted.size() != 1 || !(converted.get(0) instanceof ObjectNode answer)) {
      throw failed(given, "webhook returned " + converted.size() + " objects, expected 1");
    }
    return checked(object, answer, apiVersion);
  }

  private String version() {
    List<String> known =
        SchemaCompiler.texts(
            definition.conversion().path("webhook").path("conversionReviewVersions"));
    return known.stream().filter(REVIEWS::contains).findFirst().orElse("v1");
  }

  /// The converted object with the metadata that a conversion cannot change.
  private ObjectNode checked(ObjectNode object, ObjectNode answer, String apiVersion) {
    String given = Json.textOr(object, "", "apiVersion");
    String got = Json.textOr(answer, "", "apiVersion");
    if (!got.equals(apiVersion)) {
      throw failed(
          given,
          "invalid converted object at index 0: invalid groupVersion (expected "
              + apiVersion
              + ", received "
              + got
              + ")");
    }
    JsonNode before = object.path("metadata");
    JsonNode after = answer.path("metadata");
    for (String member : List.of("name", "namespace", "uid")) {
      if (!Json.textOr(before, "", member).equals(Json.textOr(after, "", member))) {
        throw failed(
            given, "invalid metadata of object at index 0: " + member + " cannot be changed");
      }
    }
    ObjectNode metadata = ((ObjectNode) before).deepCopy();
    for (String member : List.of("labels", "annotations")) {
      JsonNode changed = after.get(member);
      if (changed == null || changed.isNull()) {
        metadata.remove(member);
      } else {
        metadata.set(member, changed);
      }
    }
    answer.set("metadata", metadata);
    return answer;
  }
}
