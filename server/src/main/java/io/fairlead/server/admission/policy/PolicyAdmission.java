package io.fairlead.server.admission.policy;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.admission.webhook.AdmissionAttributes;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.cache.CompiledObjects;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.admission.AdmissionPolicyBindingResource;
import io.fairlead.server.resources.admission.AdmissionPolicyResource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Holds requests against the ValidatingAdmissionPolicies that are bound. A policy without a
/// binding does nothing; of several that deny, the first by name is told. Safe for many threads.
public final class PolicyAdmission {
  private static final String FAILURES = "validation.policy.admission.k8s.io/validation_failure";

  private final CompiledObjects<CompiledPolicy> policies;
  private final CompiledObjects<CompiledBinding> bindings;
  private final Function<Resource, List<Resource>> equivalents;
  private final PolicyParams params;

  /// @param equivalents the other resources that show the same objects as one
  /// @param kinds the resource of an `apiVersion` and a `kind`; null when there is none
  public PolicyAdmission(
      Caches caches,
      Function<Resource, List<Resource>> equivalents,
      BiFunction<String, String, @Nullable Resource> kinds) {
    this.policies =
        new CompiledObjects<>(
            caches.find(AdmissionPolicyResource.GROUP, AdmissionPolicyResource.VALIDATING),
            CompiledPolicy::of);
    this.bindings =
        new CompiledObjects<>(
            caches.find(AdmissionPolicyResource.GROUP, AdmissionPolicyBindingResource.VALIDATING),
            CompiledBinding::of);
    this.equivalents = equivalents;
    this.params = new PolicyParams(kinds);
  }

  /// Whether any policy may be bound.
  public boolean isActive() {
    return !bindings.all().isEmpty() && !policies.all().isEmpty();
  }

  /// @throws ApiException when a policy denies the request
  public void validate(AdmissionAttributes asked) {
    if (!isActive()) {
      return;
    }
    ApiException denial = null;
    ArrayNode failures = Json.array();
    for (CompiledPolicy policy : policies.all()) {
      for (CompiledBinding binding : bindings.all()) {
        if (binding.policy().equals(policy.name())) {
          ApiException found = validate(asked, policy, binding, failures);
          denial = denial == null ? found : denial;
        }
      }
    }
    if (!failures.isEmpty()) {
      asked.context().annotate(FAILURES, failures.toString());
    }
    if (denial != null) {
      throw denial;
    }
  }

  /// The denial, or null.
  private @Nullable ApiException validate(
      AdmissionAttributes asked,
      CompiledPolicy policy,
      CompiledBinding binding,
      ArrayNode failures) {
    AdmissionAttributes shown = policy.criteria().match(asked, equivalents);
    boolean narrowed =
        binding.criteria() != null && binding.criteria().match(asked, equivalents) == null;
    if (shown == null || narrowed) {
      return null;
    }
    ObjectNode namespace = PolicyRun.namespace(asked);
    List<PolicyRun.Violation> violations = new ArrayList<>();
    try {
      for (@Nullable ObjectNode each : params.of(asked, policy, binding)) {
        PolicyRun.Findings findings = new PolicyRun(policy, asked, shown, each, namespace).judge();
        violations.addAll(findings.violations());
        findings.annotations().forEach(asked.context()::annotate);
      }
    } catch (PolicyParams.MissingException e) {
      if (!policy.failsOpen()) {
        violations.add(
            new PolicyRun.Violation("failed to configure binding: " + e.getMessage(), "Invalid"));
      }
    }
    ApiException denial = null;
    for (PolicyRun.Violation violation : violations) {
      String where =
          "ValidatingAdmissionPolicy '" + policy.name() + "' with binding '" + binding.name() + "'";
      if (binding.actions().contains("Warn")) {
        asked.context().warn("Validation failed for " + where + ": " + violation.message());
      }
      if (binding.actions().contains("Audit")) {
        ObjectNode failure = failures.addObject();
        failure.put("message", violation.message());
        failure.put("policy", policy.name()).put("binding", binding.name());
        binding.actions().stream().sorted().forEach(failure.putArray("validationActions")::add);
      }
      if (binding.actions().contains("Deny") && denial == null) {
        denial = denied(asked, where + " denied request: " + violation.message(), violation);
      }
    }
    return denial;
  }

  /// The refusal names reason and code of the validation, and else is one of Forbidden.
  private static ApiException denied(
      AdmissionAttributes asked, String why, PolicyRun.Violation violation) {
    Status plain = asked.forbidden(why).status();
    int code =
        switch (violation.reason()) {
          case "Forbidden" -> 403;
          case "Unauthorized" -> 401;
          case "RequestEntityTooLarge" -> 413;
          default -> 422;
        };
    Status.Details details = plain.details() == null ? Status.Details.EMPTY : plain.details();
    return new ApiException(
        Status.of(code, violation.reason(), plain.message())
            .withDetails(
                details.withCauses(List.of(new Status.Cause("", violation.message(), "")))));
  }
}
