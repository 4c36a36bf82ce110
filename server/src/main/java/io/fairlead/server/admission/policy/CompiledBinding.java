package io.fairlead.server.admission.policy;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.server.admission.webhook.MatchCriteria;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The binding of a policy, read once.
///
/// @param criteria what narrows the policy down; null when nothing does
/// @param params which parameters; null for none
record CompiledBinding(
    String name,
    String policy,
    @Nullable MatchCriteria criteria,
    @Nullable Params params,
    Set<String> actions) {

  /// @param namespace empty for that of the request
  /// @param selector when there is no name
  record Params(String name, String namespace, LabelSelector selector, boolean denyWhenMissing) {}

  static List<CompiledBinding> of(JsonNode object) {
    JsonNode spec = object.path("spec");
    JsonNode match = spec.path("matchResources");
    JsonNode reference = spec.path("paramRef");
    Set<String> actions = new HashSet<>();
    spec.path("validationActions").forEach(each -> actions.add(each.asString("")));
    return List.of(
        new CompiledBinding(
            Json.textOr(object, "", "metadata", "name"),
            Json.textOr(spec, "", "policyName"),
            match.isObject() ? criteria(match) : null,
            reference.isObject() ? params(reference) : null,
            actions));
  }

  /// Without rules of its own it is about all that the policy is about.
  private static MatchCriteria criteria(JsonNode match) {
    JsonNode rules = match.path("resourceRules");
    return MatchCriteria.of(
        match, rules.isEmpty() ? ALL : rules, match.path("excludeResourceRules"));
  }

  private static final JsonNode ALL = all();

  private static JsonNode all() {
    ObjectNode rule = Json.object();
    for (String list : List.of("operations", "apiGroups", "apiVersions")) {
      rule.putArray(list).add("*");
    }
    rule.putArray("resources").add("*/*").add("*");
    return Json.array().add(rule);
  }

  private static Params params(JsonNode reference) {
    return new Params(
        Json.textOr(reference, "", "name"),
        Json.textOr(reference, "", "namespace"),
        reference.path("selector") instanceof ObjectNode selector
            ? LabelSelector.of(selector)
            : LabelSelector.EVERYTHING,
        Json.textOr(reference, "Deny", "parameterNotFoundAction").equals("Deny"));
  }
}
