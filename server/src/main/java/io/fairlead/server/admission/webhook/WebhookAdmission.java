package io.fairlead.server.admission.webhook;

import io.fairlead.api.json.Json;
import io.fairlead.api.patch.JsonPatch;
import io.fairlead.api.patch.PatchBody;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.admission.webhook.AdmissionReviews.Verdict;
import io.fairlead.server.admission.webhook.WebhookVerdicts.Outcome;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.cache.CompiledObjects;
import io.fairlead.server.cache.ObjectCache;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.webhook.WebhookCaller;
import io.fairlead.work.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Has webhooks change and judge what is written.
///
/// How it works: those that change are asked one after the other, by the names of their
/// configurations, each about what the one before left. When one changed the object, the server's
/// own plugins run again, and after them those webhooks that asked for that (`reinvocationPolicy:
/// IfNeeded`), once. Those that only judge are asked at the same time, when the object is complete;
/// of several refusals the first by name is told.
///
/// Safe for many threads.
public final class WebhookAdmission {
  private static final String GROUP = "admissionregistration.k8s.io";

  private final CompiledObjects<Webhook> mutating;
  private final CompiledObjects<Webhook> validating;
  private final WebhookVerdicts verdicts;
  private final Function<Resource, List<Resource>> equivalents;

  /// @param equivalents the other resources that show the same objects as one
  public WebhookAdmission(
      Caches caches, WebhookCaller caller, Function<Resource, List<Resource>> equivalents) {
    this.mutating = configurations(caches, "mutatingwebhookconfigurations");
    this.validating = configurations(caches, "validatingwebhookconfigurations");
    this.verdicts = new WebhookVerdicts(caller);
    this.equivalents = equivalents;
  }

  private static CompiledObjects<Webhook> configurations(Caches caches, String plural) {
    ObjectCache cache = caches.find(GROUP, plural);
    return new CompiledObjects<>(cache, Webhook::ofConfiguration);
  }

  /// Whether there is a webhook that changes objects.
  public boolean isMutating() {
    return !mutating.all().isEmpty();
  }

  /// Whether there is a webhook that judges requests.
  public boolean isValidating() {
    return !validating.all().isEmpty();
  }

  /// Asks the webhooks that change objects. Changes nothing of what is given.
  ///
  /// @param decode holds a patched object against its schema and fills in what it leaves out
  /// @param left the time of the request
  /// @return the object as they want it; null when the request has none
  /// @throws ApiException when one refuses or cannot be asked
  public @Nullable ObjectNode mutate(
      AdmissionAttributes asked,
      Reinvocation rounds,
      UnaryOperator<ObjectNode> decode,
      Duration left) {
    AdmissionAttributes now = asked;
    ObjectNode object = asked.object();
    if (object != null) {
      rounds.enter(object);
    }
    for (Webhook webhook : mutating.all()) {
      AdmissionAttributes shown = concerned(webhook, now);
      if (shown == null || !rounds.concerns(webhook.id())) {
        continue;
      }
      ObjectNode changed = ask(webhook, now, shown, decode, left);
      if (changed != null && !changed.equals(now.object())) {
        rounds.changed();
        now = now.with(changed);
      }
      rounds.asked(webhook.id(), webhook.reinvocable());
    }
    ObjectNode last = now.object();
    if (last != null) {
      rounds.leave(last.deepCopy());
    }
    return last;
  }

  /// The request as the webhook is shown it; null when it is not about that.
  private @Nullable AdmissionAttributes concerned(Webhook webhook, AdmissionAttributes asked) {
    AdmissionAttributes shown = webhook.criteria().match(asked, equivalents);
    if (shown == null || webhook.conditions().isEmpty()) {
      return shown;
    }
    return switch (webhook.conditions().test(RequestVariables.of(asked, shown))) {
      case MatchConditions.Result.Met _ -> shown;
      case MatchConditions.Result.Unmet _ -> null;
      case MatchConditions.Result.Unknown(String why) -> {
        if (webhook.failsOpen()) {
          yield null;
        }
        throw asked.forbidden(why);
      }
    };
  }

  /// The object after one webhook; null when it left it alone.
  private @Nullable ObjectNode ask(
      Webhook webhook,
      AdmissionAttributes asked,
      AdmissionAttributes shown,
      UnaryOperator<ObjectNode> decode,
      Duration left) {
    switch (verdicts.ask(webhook, asked, shown, true, left)) {
      case Outcome.Ignored _ -> {
        return null;
      }
      case Outcome.Failed(ApiException why) -> throw why;
      case Outcome.Decided(Verdict verdict) -> {
        WebhookVerdicts.conclude(webhook, verdict, asked.context());
        byte[] patch = verdict.patch();
        return patch == null ? null : patched(webhook, verdict, patch, asked, shown, decode);
      }
    }
  }

  private static @Nullable ObjectNode patched(
      Webhook webhook,
      Verdict verdict,
      byte[] patch,
      AdmissionAttributes asked,
      AdmissionAttributes shown,
      UnaryOperator<ObjectNode> decode) {
    ObjectNode object = shown.object();
    if (object == null) {
      throw ApiException.internal(
          "admission webhook \""
              + webhook.name()
              + "\" attempted to modify the object, which is not supported for this operation");
    }
    try {
      var operations = PatchBody.operations(patch);
      if (operations.isEmpty()) {
        return null;
      }
      if (!verdict.patchType().equals(AdmissionReviews.JSON_PATCH)) {
        throw ApiException.badRequest("unsupported patch type \"" + verdict.patchType() + "\"");
      }
      ObjectNode result = JsonPatch.apply(object, operations);
      boolean same = shown.resource().equals(asked.resource());
      ObjectNode own =
          same ? result : AdmissionAttributes.converted(result, shown.resource(), asked.resource());
      return own == null ? null : decode.apply(own);
    } catch (ApiException e) {
      throw ApiException.internal(
          "the patch of admission webhook \""
              + webhook.name()
              + "\" cannot be applied: "
              + e.status().message());
    }
  }

  /// Asks the webhooks that judge. Changes nothing.
  ///
  /// @throws ApiException when one refuses or cannot be asked
  public void validate(AdmissionAttributes asked, Duration left) {
    List<Webhook> concerned = new ArrayList<>();
    List<AdmissionAttributes> shown = new ArrayList<>();
    for (Webhook webhook : validating.all()) {
      AdmissionAttributes one = concerned(webhook, asked);
      if (one != null) {
        concerned.add(webhook);
        shown.add(one);
      }
    }
    if (concerned.isEmpty()) {
      return;
    }
    List<FutureTask<Outcome>> running = new ArrayList<>();
    for (int i = 0; i < concerned.size(); i++) {
      Webhook webhook = concerned.get(i);
      AdmissionAttributes one = shown.get(i);
      FutureTask<Outcome> task =
          new FutureTask<>(() -> verdicts.ask(webhook, asked, one, false, left));
      running.add(task);
      if (i < concerned.size() - 1) {
        Thread _ = Tasks.start("validating-webhook", task::run);
      } else {
        // The last one, often the only one, needs no thread of its own.
        task.run();
      }
    }
    ApiException refusal = null;
    for (int i = 0; i < running.size(); i++) {
      try {
        conclude(concerned.get(i), await(running.get(i)), asked);
      } catch (ApiException e) {
        refusal = refusal == null ? e : refusal;
      }
    }
    if (refusal != null) {
      throw refusal;
    }
  }

  private static void conclude(Webhook webhook, Outcome outcome, AdmissionAttributes asked) {
    switch (outcome) {
      case Outcome.Ignored _ -> {}
      case Outcome.Failed(ApiException why) -> throw why;
      case Outcome.Decided(Verdict verdict) ->
          WebhookVerdicts.conclude(webhook, verdict, asked.context());
    }
  }

  private static Outcome await(FutureTask<Outcome> task) {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApiException.internal("interrupted while webhooks were asked");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /// An empty list of options, for requests that have no body to say more.
  public static ObjectNode options(String kind) {
    return Json.object().put("kind", kind).put("apiVersion", "meta.k8s.io/v1");
  }
}
