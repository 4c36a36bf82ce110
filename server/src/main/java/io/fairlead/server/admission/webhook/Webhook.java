package io.fairlead.server.admission.webhook;

import io.fairlead.api.json.Json;
import io.fairlead.server.resources.admission.AdmissionExpressions;
import io.fairlead.server.webhook.WebhookClientConfig;
import io.fairlead.server.webhook.WebhookException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One webhook of a configuration, read once.
///
/// @param id tells it from all others
/// @param client null when it cannot be called at all, for `problem`
/// @param failsOpen whether what it cannot decide is let pass
/// @param reinvocable whether it wants to see what others changed after it
/// @param version of the reviews that it is sent
record Webhook(
    String id,
    String name,
    @Nullable WebhookClientConfig client,
    String problem,
    MatchCriteria criteria,
    MatchConditions conditions,
    boolean failsOpen,
    boolean allowsDryRun,
    boolean reinvocable,
    Duration timeout,
    String version) {
  private static final Set<String> VERSIONS = Set.of("v1", "v1beta1");
  private static final int TIMEOUT_SECONDS = 10;

  static List<Webhook> ofConfiguration(JsonNode configuration) {
    List<Webhook> all = new ArrayList<>();
    String owner = Json.textOr(configuration, "", "metadata", "name");
    for (JsonNode webhook : configuration.path("webhooks")) {
      all.add(of(owner + "/" + all.size(), webhook));
    }
    return all;
  }

  private static Webhook of(String id, JsonNode webhook) {
    WebhookClientConfig client = null;
    String problem = "";
    try {
      client = WebhookClientConfig.of(webhook.path("clientConfig"));
    } catch (WebhookException e) {
      problem = String.valueOf(e.getMessage());
    }
    String sideEffects = Json.textOr(webhook, "", "sideEffects");
    String version = "v1";
    for (JsonNode each : webhook.path("admissionReviewVersions")) {
      if (VERSIONS.contains(each.asString(""))) {
        version = each.asString("");
        break;
      }
    }
    return new Webhook(
        id,
        Json.textOr(webhook, "", "name"),
        client,
        problem,
        MatchCriteria.of(webhook, webhook.path("rules"), Json.array()),
        MatchConditions.of(webhook.path("matchConditions"), AdmissionExpressions.OF_WEBHOOK),
        Json.textOr(webhook, "", "failurePolicy").equals("Ignore"),
        sideEffects.equals("None") || sideEffects.equals("NoneOnDryRun"),
        Json.textOr(webhook, "", "reinvocationPolicy").equals("IfNeeded"),
        Duration.ofSeconds(webhook.path("timeoutSeconds").asInt(TIMEOUT_SECONDS)),
        version);
  }
}
