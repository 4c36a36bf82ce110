package io.fairlead.server.admission.policy;

import static java.util.Objects.requireNonNull;

import io.fairlead.api.apply.ServerSideApply;
import io.fairlead.api.patch.JsonEquality;
import io.fairlead.api.patch.JsonPatch;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.admission.webhook.AdmissionAttributes;
import io.fairlead.server.admission.webhook.MatchConditions;
import io.fairlead.server.admission.webhook.Reinvocation;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.cache.CompiledObjects;
import io.fairlead.server.cel.CelEvaluationException;
import io.fairlead.server.cel.CelJson;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.admission.AdmissionPolicyBindingResource;
import io.fairlead.server.resources.admission.AdmissionPolicyResource;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Has the MutatingAdmissionPolicies that are bound change what is written.
///
/// How it works: policies run one after the other by name, each about what the one before left, and
/// each mutation of a policy about what the mutation before it left. A mutation gives a part of the
/// object, which is laid over it as server-side apply would, or the operations of a JSON patch.
/// What has no value refuses the request, unless the policy has `failurePolicy: Ignore`.
///
/// Safe for many threads.
public final class MutatingPolicyAdmission {
  private final CompiledObjects<CompiledPolicy> policies;
  private final CompiledObjects<CompiledBinding> bindings;
  private final Function<Resource, List<Resource>> equivalents;
  private final PolicyParams params;

  /// @param equivalents the other resources that show the same objects as one
  /// @param kinds the resource of an `apiVersion` and a `kind`; null when there is none
  public MutatingPolicyAdmission(
      Caches caches,
      Function<Resource, List<Resource>> equivalents,
      BiFunction<String, String, @Nullable Resource> kinds) {
    this.policies =
        new CompiledObjects<>(
            caches.find(AdmissionPolicyResource.GROUP, AdmissionPolicyResource.MUTATING),
            CompiledPolicy::of);
    this.bindings =
        new CompiledObjects<>(
            caches.find(AdmissionPolicyResource.GROUP, AdmissionPolicyBindingResource.MUTATING),
            CompiledBinding::of);
    this.equivalents = equivalents;
    this.params = new PolicyParams(kinds);
  }

  /// Whether any policy may be bound.
  public boolean isActive() {
    return !bindings.all().isEmpty() && !policies.all().isEmpty();
  }

  /// Runs the policies. Changes nothing of what is given.
  ///
  /// @param asked about an object, which is there
  /// @param type of that object
  /// @param decode holds a changed object against its schema and fills in what it leaves out
  /// @return the object as they want it
  /// @throws ApiException when one fails
  public ObjectNode mutate(
      AdmissionAttributes asked,
      ObjectNode object,
      StructType type,
      Reinvocation rounds,
      UnaryOperator<ObjectNode> decode) {
    rounds.enter(object);
    AdmissionAttributes now = asked;
    ObjectNode current = object;
    for (CompiledPolicy policy : policies.all()) {
      for (CompiledBinding binding : bindings.all()) {
        if (binding.policy().equals(policy.name())
            && rounds.concerns(policy.name() + "/" + binding.name())) {
          ObjectNode changed =
              new Invocation(policy, binding, type, rounds, decode).run(now, current);
          now = now.with(changed);
          current = changed;
        }
      }
    }
    rounds.leave(current.deepCopy());
    return current;
  }

  /// One policy with one binding, on one request.
  private final class Invocation {
    private final CompiledPolicy policy;
    private final CompiledBinding binding;
    private final StructType type;
    private final Reinvocation rounds;
    private final UnaryOperator<ObjectNode> decode;

    Invocation(
        CompiledPolicy policy,
        CompiledBinding binding,
        StructType type,
        Reinvocation rounds,
        UnaryOperator<ObjectNode> decode) {
      this.policy = policy;
      this.binding = binding;
      this.type = type;
      this.rounds = rounds;
      this.decode = decode;
    }

    ObjectNode run(AdmissionAttributes asked, ObjectNode object) {
      AdmissionAttributes shown = policy.criteria().match(asked, equivalents);
      boolean narrowed =
          binding.criteria() != null && binding.criteria().match(asked, equivalents) == null;
      if (shown == null || narrowed) {
        return object;
      }
      ObjectNode namespace = PolicyRun.namespace(asked);
      ObjectNode current = object;
      try {
        for (@Nullable ObjectNode each : params.of(asked, policy, binding)) {
          current = run(asked.with(current), each, namespace, current);
        }
      } catch (PolicyParams.MissingException e) {
        refuse("failed to configure binding: " + e.getMessage(), "Forbidden");
      }
      return current;
    }

    private ObjectNode run(
        AdmissionAttributes asked,
        @Nullable ObjectNode param,
        @Nullable ObjectNode namespace,
        ObjectNode object) {
      AdmissionAttributes now = asked;
      ObjectNode current = object;
      boolean begun = false;
      for (CompiledPolicy.Mutation mutation : policy.mutations()) {
        AdmissionAttributes shown = policy.criteria().match(now, equivalents);
        if (shown == null) {
          return current;
        }
        PolicyRun run = new PolicyRun(policy, now, shown, param, namespace);
        if (!begun && !isMet(run)) {
          return current;
        }
        begun = true;
        ObjectNode changed = mutated(mutation, run, now, shown);
        if (changed != null && !JsonEquality.value(changed, current)) {
          rounds.changed();
          current = changed;
          now = now.with(changed);
        }
      }
      rounds.asked(policy.name() + "/" + binding.name(), policy.reinvocable());
      return current;
    }

    private boolean isMet(PolicyRun run) {
      return switch (run.conditions()) {
        case MatchConditions.Result.Met _ -> true;
        case MatchConditions.Result.Unmet _ -> false;
        case MatchConditions.Result.Unknown(String why) -> {
          refuse(why);
          yield false;
        }
      };
    }

    /// The object after one mutation; null when it failed and may.
    private @Nullable ObjectNode mutated(
        CompiledPolicy.Mutation mutation,
        PolicyRun run,
        AdmissionAttributes asked,
        AdmissionAttributes shown) {
      ObjectNode object = shown.object();
      if (object == null) {
        return null;
      }
      Object wanted;
      try {
        wanted = run.wanted(mutation);
      } catch (CelEvaluationException e) {
        refuse("expression '" + mutation.text() + "' resulted in error: " + e.getMessage());
        return null;
      }
      boolean same = shown.resource().equals(asked.resource());
      try {
        ObjectNode result =
            changed(mutation, object, wanted, same ? type : shown.resource().schema());
        return decode.apply(
            same ? result : requireNonNull(shown.with(result).as(asked.resource()).object()));
      } catch (CelEvaluationException e) {
        refuse(String.valueOf(e.getMessage()));
      } catch (ApiException e) {
        refuse(e.status().message());
      }
      return null;
    }

    private static ObjectNode changed(
        CompiledPolicy.Mutation mutation, ObjectNode object, Object wanted, StructType type) {
      JsonNode json = CelJson.of(wanted);
      if (mutation.patches() && json instanceof ArrayNode operations) {
        try {
          ObjectNode result = JsonPatch.applyIfTestsHold(object, operations);
          return result == null ? object : result;
        } catch (ApiException e) {
          throw ApiException.badRequest("JSON Patch: " + e.status().message());
        }
      }
      if (!mutation.patches() && json instanceof ObjectNode part) {
        try {
          return ServerSideApply.overlay(object, part, type);
        } catch (ApiException e) {
          throw ApiException.badRequest("error applying patch: " + e.status().message());
        }
      }
      throw new CelEvaluationException("unexpected type of the result: " + json.getNodeType());
    }

    private void refuse(String why) {
      refuse(why, "Invalid");
    }

    /// Refuses the request, unless failures of the policy do not count.
    private void refuse(String why, String reason) {
      if (policy.failsOpen()) {
        return;
      }
      String message =
          "policy '"
              + policy.name()
              + "' with binding '"
              + binding.name()
              + "' denied request: "
              + why;
      throw new ApiException(
          Status.of(403, reason, message)
              .withDetails(
                  Status.Details.EMPTY.withCauses(List.of(new Status.Cause("", message, "")))));
    }
  }
}
