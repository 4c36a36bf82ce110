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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
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
    return convertAll(List.of(object), apiVersion).getFirst();
  }

  /// One review for all that have another version.
  @Override
  public List<ObjectNode> convertAll(List<ObjectNode> objects, String apiVersion) {
    List<ObjectNode> others =
        objects.stream().filter(each -> !given(each).equals(apiVersion)).toList();
    if (others.isEmpty()) {
      return objects.stream().map(ObjectNode::deepCopy).toList();
    }
    Iterator<ObjectNode> converted;
    try {
      converted = asked(others, apiVersion).iterator();
    } catch (WebhookException e) {
      throw failed(given(others.getFirst()), String.valueOf(e.getMessage()));
    }
    return objects.stream()
        .map(each -> given(each).equals(apiVersion) ? each.deepCopy() : converted.next())
        .toList();
  }

  private static String given(ObjectNode object) {
    return Json.textOr(object, "", "apiVersion");
  }

  private ApiException failed(String given, String why) {
    return refused(given, "failed: " + why);
  }

  private ApiException refused(String given, String why) {
    return new ApiException(
        Status.of(
            500,
            "",
            "conversion webhook for " + given + ", Kind=" + definition.kind() + " " + why));
  }

  private List<ObjectNode> asked(List<ObjectNode> objects, String apiVersion)
      throws WebhookException {
    String given = given(objects.getFirst());
    String uid = uids.get().toString();
    ObjectNode review = Json.object();
    review.put("kind", "ConversionReview").put("apiVersion", "apiextensions.k8s.io/" + version());
    ObjectNode request = review.putObject("request");
    request.put("uid", uid).put("desiredAPIVersion", apiVersion);
    ArrayNode sent = request.putArray("objects");
    objects.forEach(sent::add);
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
    if (converted.size() != objects.size()) {
      throw refused(given, "returned " + converted.size() + " objects, expected " + objects.size());
    }
    List<ObjectNode> checked = new ArrayList<>();
    for (int i = 0; i < objects.size(); i++) {
      String which = objects.size() == 1 ? "object" : "converted object at index " + i;
      checked.add(checked(objects.get(i), converted.get(i), apiVersion, which));
    }
    return checked;
  }

  private String version() {
    List<String> known =
        SchemaCompiler.texts(
            definition.conversion().path("webhook").path("conversionReviewVersions"));
    return known.stream().filter(REVIEWS::contains).findFirst().orElse("v1");
  }

  /// The converted object with the metadata that a conversion cannot change.
  private ObjectNode checked(
      ObjectNode object, JsonNode returned, String apiVersion, String which) {
    String given = given(object);
    if (!(returned instanceof ObjectNode answer)) {
      throw refused(given, "returned invalid " + which + ": not an object");
    }
    String got = given(answer);
    if (!got.equals(apiVersion)) {
      throw refused(
          given,
          "returned invalid "
              + (which.equals("object") ? "object at index 0" : which)
              + ": invalid groupVersion (expected "
              + apiVersion
              + ", received "
              + got
              + ")");
    }
    JsonNode before = object.path("metadata");
    JsonNode after = answer.path("metadata");
    for (String member : List.of("name", "namespace", "uid")) {
      String was = Json.textOr(before, "", member);
      String is = Json.textOr(after, "", member);
      if (!was.equals(is)) {
        String name = member.equals("uid") ? "UID" : member;
        throw refused(
            given,
            "returned invalid "
                + which
                + ": must have the same "
                + name
                + ": "
                + was
                + " != "
                + is);
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
