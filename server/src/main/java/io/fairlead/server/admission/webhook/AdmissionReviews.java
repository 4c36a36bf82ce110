package io.fairlead.server.admission.webhook;

import io.fairlead.api.json.Json;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.webhook.WebhookException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The document that a webhook is sent, and the one it answers with (`admission.k8s.io`).
final class AdmissionReviews {
  static final String JSON_PATCH = "JSONPatch";

  private static final String GROUP = "admission.k8s.io/";

  private AdmissionReviews() {}

  /// What a webhook decided.
  ///
  /// @param status why not; missing when it does not say
  /// @param patch null for none
  /// @param patchType `JSONPatch` is the only one there is
  record Verdict(
      boolean allowed,
      JsonNode status,
      byte @Nullable [] patch,
      String patchType,
      List<String> warnings,
      Map<String, String> auditAnnotations) {}

  /// @param asked the request as it came
  /// @param shown the same in the version that the webhook's rules name
  static ObjectNode request(
      String version, String uid, AdmissionAttributes asked, AdmissionAttributes shown) {
    ObjectNode review = Json.object();
    review.put("kind", "AdmissionReview").put("apiVersion", GROUP + version);
    ObjectNode request = review.putObject("request").put("uid", uid);
    request.set("kind", shown.kind().toJson());
    request.set("resource", shown.resourceJson());
    putUnlessEmpty(request, "subResource", shown.subresource());
    request.set("requestKind", asked.kind().toJson());
    request.set("requestResource", asked.resourceJson());
    putUnlessEmpty(request, "requestSubResource", asked.subresource());
    putUnlessEmpty(request, "name", asked.name());
    putUnlessEmpty(request, "namespace", asked.namespace());
    request.put("operation", asked.operation().name());
    request.set("userInfo", user(asked.context().user()));
    set(request, "object", shown.object());
    set(request, "oldObject", shown.old());
    request.put("dryRun", asked.context().dryRun());
    set(request, "options", asked.options());
    return review;
  }

  private static void set(ObjectNode request, String member, @Nullable ObjectNode value) {
    if (value == null) {
      request.putNull(member);
    } else {
      request.set(member, value);
    }
  }

  private static ObjectNode user(UserInfo user) {
    ObjectNode out = Json.object();
    putUnlessEmpty(out, "username", user.name());
    putUnlessEmpty(out, "uid", user.uid());
    if (!user.groups().isEmpty()) {
      user.groups().forEach(out.putArray("groups")::add);
    }
    if (!user.extra().isEmpty()) {
      ObjectNode extra = out.putObject("extra");
      new TreeMap<>(user.extra())
          .forEach((name, values) -> values.forEach(extra.putArray(name)::add));
    }
    return out;
  }

  private static void putUnlessEmpty(ObjectNode out, String member, String value) {
    if (!value.isEmpty()) {
      out.put(member, value);
    }
  }

  /// Reads the answer.
  ///
  /// @param mutating whether it may hold a patch
  /// @throws WebhookException when it is not one
  static Verdict verdict(String version, String uid, boolean mutating, ObjectNode review)
      throws WebhookException {
    if (!(review.path("response") instanceof ObjectNode response)) {
      throw invalid("webhook response was absent");
    }
    String uidBack = Json.textOr(response, "", "uid");
    if (version.equals("v1")) {
      if (!uidBack.equals(uid)) {
        throw invalid("expected response.uid=\"" + uid + "\", got \"" + uidBack + "\"");
      }
      String kind = Json.textOr(review, "", "kind");
      String apiVersion = Json.textOr(review, "", "apiVersion");
      if (!kind.equals("AdmissionReview") || !apiVersion.equals(GROUP + version)) {
        throw invalid(
            "expected webhook response of "
                + GROUP
                + version
                + ", Kind=AdmissionReview, got "
                + apiVersion
                + ", Kind="
                + kind);
      }
    }
    return new Verdict(
        response.path("allowed").asBoolean(false),
        response.path("status"),
        patch(version, mutating, response),
        Json.textOr(response, JSON_PATCH, "patchType"),
        texts(response.path("warnings")),
        annotations(response.path("auditAnnotations")));
  }

  private static byte @Nullable [] patch(String version, boolean mutating, ObjectNode response)
      throws WebhookException {
    String encoded = Json.textOr(response, "", "patch");
    String type = Json.text(response, "patchType");
    boolean strict = version.equals("v1");
    if (!mutating) {
      if (strict && !encoded.isEmpty()) {
        throw invalid("validating webhook may not return response.patch");
      }
      if (strict && type != null) {
        throw invalid("validating webhook may not return response.patchType");
      }
      return null;
    }
    if (strict && encoded.isEmpty() != (type == null)) {
      throw invalid(
          type == null
              ? "webhook returned response.patch but not response.patchType"
              : "webhook returned response.patchType but not response.patch");
    }
    try {
      return encoded.isEmpty() ? null : Base64.getDecoder().decode(encoded);
    } catch (IllegalArgumentException e) {
      throw invalid("response.patch is not base64");
    }
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.asString("")));
    return texts;
  }

  private static Map<String, String> annotations(JsonNode object) {
    Map<String, String> annotations = new LinkedHashMap<>();
    object
        .properties()
        .forEach(each -> annotations.put(each.getKey(), each.getValue().asString("")));
    return annotations;
  }

  private static WebhookException invalid(String why) {
    return new WebhookException("received invalid webhook response: " + why);
  }
}
