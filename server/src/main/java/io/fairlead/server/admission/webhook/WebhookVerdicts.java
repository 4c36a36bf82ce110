package io.fairlead.server.admission.webhook;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.admission.webhook.AdmissionReviews.Verdict;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.webhook.WebhookCaller;
import io.fairlead.server.webhook.WebhookClientConfig;
import io.fairlead.server.webhook.WebhookException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Asks one webhook about one request, and makes of its answer what the client is told.
final class WebhookVerdicts {
  private static final Logger log = LoggerFactory.getLogger(WebhookVerdicts.class);
  private static final int LEAST_CODE = 400;

  private final WebhookCaller caller;

  WebhookVerdicts(WebhookCaller caller) {
    this.caller = caller;
  }

  /// What came of asking.
  sealed interface Outcome {
    /// The webhook decided.
    record Decided(Verdict verdict) implements Outcome {}

    /// It could not be asked and its configuration says that this is no reason to refuse.
    record Ignored() implements Outcome {}

    /// It could not be asked.
    record Failed(ApiException why) implements Outcome {}
  }

  /// Asks. Any thread; changes nothing.
  Outcome ask(
      Webhook webhook,
      AdmissionAttributes asked,
      AdmissionAttributes shown,
      boolean mutating,
      Duration left) {
    RequestContext context = asked.context();
    if (context.dryRun() && !webhook.allowsDryRun()) {
      return new Outcome.Failed(
          ApiException.badRequest(
              "admission webhook \"" + webhook.name() + "\" does not support dry run"));
    }
    String uid = uuid(context.random());
    Duration time = left.compareTo(webhook.timeout()) < 0 ? left : webhook.timeout();
    try {
      WebhookClientConfig client = webhook.client();
      if (client == null) {
        throw new WebhookException("could not get REST client: " + webhook.problem());
      }
      return new Outcome.Decided(
          AdmissionReviews.verdict(
              webhook.version(),
              uid,
              mutating,
              call(client, AdmissionReviews.request(webhook.version(), uid, asked, shown), time)));
    } catch (WebhookException e) {
      String text = "failed calling webhook \"" + webhook.name() + "\": " + e.getMessage();
      if (webhook.failsOpen()) {
        log.atWarn()
            .addKeyValue("webhook", webhook.name())
            .addKeyValue("why", e.getMessage())
            .log("a webhook could not be asked, the request passes");
        return new Outcome.Ignored();
      }
      return new Outcome.Failed(ApiException.internal(text));
    }
  }

  private tools.jackson.databind.node.ObjectNode call(
      WebhookClientConfig client, tools.jackson.databind.node.ObjectNode review, Duration time)
      throws WebhookException {
    try {
      return caller.call(client, review, time);
    } catch (WebhookException e) {
      throw new WebhookException("failed to call webhook: " + e.getMessage(), e);
    }
  }

  /// Passes on the warnings of a verdict and notes its annotations; refuses when it does.
  static void conclude(Webhook webhook, Verdict verdict, RequestContext context) {
    verdict.warnings().forEach(context::warn);
    verdict
        .auditAnnotations()
        .forEach((key, value) -> context.annotate(webhook.name() + "/" + key, value));
    if (!verdict.allowed()) {
      throw denied(webhook, verdict.status());
    }
  }

  /// The refusal, in the words of the original.
  private static ApiException denied(Webhook webhook, JsonNode status) {
    String message = Json.textOr(status, "", "message");
    String reason = Json.textOr(status, "", "reason");
    String why = message.isEmpty() ? reason : message;
    int code = Math.max(LEAST_CODE, status.path("code").asInt(LEAST_CODE));
    Status refusal =
        Status.of(
            code,
            reason,
            "admission webhook \""
                + webhook.name()
                + "\" denied the request"
                + (why.isEmpty() ? " without explanation" : ": " + why));
    Status.Details details = details(status.path("details"));
    return new ApiException(details == null ? refusal : refusal.withDetails(details));
  }

  private static Status.@Nullable Details details(JsonNode details) {
    if (!details.isObject()) {
      return null;
    }
    List<Status.Cause> causes = new ArrayList<>();
    for (JsonNode cause : details.path("causes")) {
      causes.add(
          new Status.Cause(
              Json.textOr(cause, "", "reason"),
              Json.textOr(cause, "", "message"),
              Json.textOr(cause, "", "field")));
    }
    return new Status.Details(
        Json.textOr(details, "", "name"),
        Json.textOr(details, "", "group"),
        Json.textOr(details, "", "kind"),
        Json.textOr(details, "", "uid"),
        causes,
        details.path("retryAfterSeconds").asInt(0));
  }

  private static String uuid(RandomGenerator random) {
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() & ~(3L << 62)) | (1L << 63);
    return new UUID(high, low).toString();
  }
}
