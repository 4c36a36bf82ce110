package io.fairlead.server.admission.webhook;

import io.fairlead.server.admission.webhook.AdmissionAttributes.Operation;
import io.fairlead.server.resource.ResourceDescriptor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// One rule of a webhook or a policy: operations, groups, versions, resources, scope and names. `*`
/// stands for all, for subresources only behind a slash.
public final class RuleMatcher {
  private static final String ALL = "*";

  private final Set<String> operations;
  private final Set<String> groups;
  private final Set<String> versions;
  private final List<Pattern> resources;
  private final Set<String> names;
  private final String scope;

  private record Pattern(String resource, String subresource) {
    static Pattern of(String text) {
      int slash = text.indexOf('/');
      return slash < 0
          ? new Pattern(text, "")
          : new Pattern(text.substring(0, slash), text.substring(slash + 1));
    }

    boolean matches(String plural, String part) {
      return (resource.equals(ALL) || resource.equals(plural))
          && (subresource.equals(ALL) || subresource.equals(part));
    }
  }

  private RuleMatcher(JsonNode rule) {
    this.operations = texts(rule.path("operations"));
    this.groups = texts(rule.path("apiGroups"));
    this.versions = texts(rule.path("apiVersions"));
    this.resources = new ArrayList<>();
    for (JsonNode each : rule.path("resources")) {
      resources.add(Pattern.of(each.asString("")));
    }
    this.names = texts(rule.path("resourceNames"));
    this.scope = rule.path("scope").asString(ALL);
  }

  /// The rules of a list.
  public static List<RuleMatcher> all(JsonNode rules) {
    List<RuleMatcher> all = new ArrayList<>();
    for (JsonNode rule : rules) {
      all.add(new RuleMatcher(rule));
    }
    return all;
  }

  /// Whether it is about that operation at all, on that resource in that version.
  ///
  /// @param descriptor the resource of the request, or an equivalent one
  boolean matches(AdmissionAttributes asked, ResourceDescriptor descriptor) {
    return isOneOf(operations, asked.operation().name())
        && isOneOf(groups, descriptor.group())
        && isOneOf(versions, descriptor.version())
        && (names.isEmpty() || names.contains(asked.name()))
        && inScope(asked)
        && resources.stream()
            .anyMatch(each -> each.matches(descriptor.plural(), asked.subresource()));
  }

  private boolean inScope(AdmissionAttributes asked) {
    boolean cluster = asked.isNamespaceObject() || asked.namespace().isEmpty();
    return switch (scope) {
      case "Namespaced" -> !cluster;
      case "Cluster" -> cluster;
      default -> true;
    };
  }

  private static boolean isOneOf(Set<String> allowed, String value) {
    return allowed.contains(ALL) || allowed.contains(value);
  }

  private static Set<String> texts(JsonNode list) {
    Set<String> texts = new HashSet<>();
    list.forEach(each -> texts.add(each.asString("")));
    return texts;
  }

  /// Whether the operation may be one of these; for what is only about whole classes of requests.
  boolean isAbout(Operation operation) {
    return isOneOf(operations, operation.name());
  }
}
