package io.fairlead.server.admission.webhook;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.admission.webhook.AdmissionAttributes.Operation;
import io.fairlead.server.resource.Resource;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Which requests a webhook or a policy is about: rules, and the labels of namespace and object.
public record MatchCriteria(
    List<RuleMatcher> rules,
    List<RuleMatcher> excluded,
    boolean exact,
    LabelSelector namespaces,
    LabelSelector objects) {
  private static final String CONFIGURATIONS = "admissionregistration.k8s.io";

  public MatchCriteria {
    rules = List.copyOf(rules);
    excluded = List.copyOf(excluded);
  }

  /// @param holder has `matchPolicy`, `namespaceSelector` and `objectSelector`
  public static MatchCriteria of(JsonNode holder, JsonNode rules, JsonNode excluded) {
    return new MatchCriteria(
        RuleMatcher.all(rules),
        RuleMatcher.all(excluded),
        Json.textOr(holder, "", "matchPolicy").equals("Exact"),
        selector(holder.path("namespaceSelector")),
        selector(holder.path("objectSelector")));
  }

  private static LabelSelector selector(JsonNode selector) {
    return selector instanceof ObjectNode present
        ? LabelSelector.of(present)
        : LabelSelector.EVERYTHING;
  }

  /// What configures admission is not held up by it: a mistake there could not be mended.
  static boolean isExempt(AdmissionAttributes asked) {
    return asked.descriptor().group().equals(CONFIGURATIONS);
  }

  /// The request in the version that a rule names; null when it is about another one.
  ///
  /// @param equivalents the other resources that show the same objects
  /// @throws ApiException when the namespace of the request is gone
  public @Nullable AdmissionAttributes match(
      AdmissionAttributes asked, Function<Resource, List<Resource>> equivalents) {
    Resource matched = matchedResource(asked, equivalents);
    if (matched == null || !inNamespace(asked) || !hasLabels(asked)) {
      return null;
    }
    return matched.equals(asked.resource()) ? asked : asked.as(matched);
  }

  private @Nullable Resource matchedResource(
      AdmissionAttributes asked, Function<Resource, List<Resource>> equivalents) {
    if (isExempt(asked) || isIn(excluded, asked, asked.resource())) {
      return null;
    }
    if (isIn(rules, asked, asked.resource())) {
      return asked.resource();
    }
    if (exact) {
      return null;
    }
    for (Resource other : equivalents.apply(asked.resource())) {
      if (isIn(excluded, asked, other)) {
        return null;
      }
    }
    for (Resource other : equivalents.apply(asked.resource())) {
      if (isIn(rules, asked, other)) {
        return other;
      }
    }
    return null;
  }

  private static boolean isIn(
      List<RuleMatcher> rules, AdmissionAttributes asked, Resource resource) {
    for (RuleMatcher rule : rules) {
      if (rule.matches(asked, resource.descriptor())) {
        return true;
      }
    }
    return false;
  }

  private boolean inNamespace(AdmissionAttributes asked) {
    if (namespaces.isEmpty() || (asked.namespace().isEmpty() && !asked.isNamespaceObject())) {
      return true;
    }
    ObjectNode object = asked.object();
    boolean itself = asked.isNamespaceObject() && asked.subresource().isEmpty() && object != null;
    if (itself && asked.operation() != Operation.DELETE) {
      return object != null && namespaces.matches(object);
    }
    ObjectNode namespace = asked.context().reader().get("", "namespaces", "", asked.namespace());
    if (namespace == null) {
      throw ApiException.notFound("", "namespaces", asked.namespace());
    }
    return namespaces.matches(namespace);
  }

  private boolean hasLabels(AdmissionAttributes asked) {
    return objects.isEmpty() || matches(asked.object()) || matches(asked.old());
  }

  private boolean matches(@Nullable ObjectNode object) {
    return object != null && object.has("metadata") && objects.matches(object);
  }
}
