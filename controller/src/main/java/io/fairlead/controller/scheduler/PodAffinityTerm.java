package io.fairlead.controller.scheduler;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.ObjectMeta;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Which other pods a pod wants near it, or away from it, and what counts as near.
///
/// @param namespaces where the others are; empty together with no namespace selector never happens
/// @param anywhere in every namespace: a namespace selector without conditions was given
record PodAffinityTerm(
    String topologyKey, LabelSelector selector, Set<String> namespaces, boolean anywhere) {

  static List<PodAffinityTerm> list(JsonNode list, ObjectMeta pod) {
    List<PodAffinityTerm> read = new ArrayList<>();
    list.forEach(one -> read.add(of(one, pod)));
    return read;
  }

  static PodAffinityTerm of(JsonNode term, ObjectMeta pod) {
    Set<String> namespaces = new LinkedHashSet<>();
    term.path("namespaces").forEach(name -> namespaces.add(name.asString("")));
    JsonNode byLabels = term.path("namespaceSelector");
    boolean anywhere = byLabels instanceof ObjectNode && byLabels.isEmpty();
    String byName = Json.textOr(byLabels, "", "matchLabels", "kubernetes.io/metadata.name");
    if (!byName.isEmpty()) {
      namespaces.add(byName);
    }
    if (namespaces.isEmpty() && !byLabels.isObject()) {
      namespaces.add(pod.namespace());
    }
    return new PodAffinityTerm(
        Json.textOr(term, "", "topologyKey"),
        SpreadConstraint.selector(term, pod),
        namespaces,
        anywhere);
  }

  boolean matches(PodInfo other) {
    return (anywhere || namespaces.contains(other.namespace())) && selector.matches(other.labels());
  }
}
