package io.fairlead.insight.gather;

import io.fairlead.api.json.Json;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.insight.environment.VariablesEvidence;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Gathers what is known about the Service variables of a pod.
public final class VariablesGathering {
  private static final int MANY = 20_000;

  private final Sources sources;

  public VariablesGathering(Sources sources) {
    this.sources = sources;
  }

  /// Empty when there is no such pod.
  public Evidence<Optional<VariablesEvidence>> gather(ObjectKey key) {
    Evidence<Optional<ObjectNode>> found = sources.find(ResourceType.PODS, key);
    Optional<ObjectNode> pod = found.value().flatMap(one -> one);
    if (pod.isEmpty()) {
      return found.map(_ -> Optional.empty());
    }
    Evidence<List<ServiceFacts>> services =
        sources.list(
            ResourceType.SERVICES, key.namespace(), ListOptions.ALL, MANY, ServiceFacts::of);
    Evidence<Map<String, Map<String, String>>> given = given(pod.get());
    return services.map(
        own -> {
          List<ServiceFacts> all = new ArrayList<>(own);
          if (!key.namespace().equals("default")) {
            sources
                .find(ResourceType.SERVICES, new ObjectKey("default", "kubernetes"))
                .value()
                .flatMap(one -> one)
                .map(ServiceFacts::of)
                .ifPresent(all::add);
          }
          return Optional.of(new VariablesEvidence(pod.get(), all, given));
        });
  }

  private Evidence<Map<String, Map<String, String>>> given(ObjectNode pod) {
    String node = Json.textOr(pod, "", "spec", "nodeName");
    if (node.isEmpty()) {
      return Unseen.of(new Why.NoNodeApi());
    }
    return sources
        .node(node, "env?pod=" + Json.textOr(pod, "", "metadata", "uid"))
        .map(
            document -> {
              Map<String, Map<String, String>> byContainer = new TreeMap<>();
              for (JsonNode container : document.path("containers")) {
                Map<String, String> variables = new TreeMap<>();
                container
                    .path("variables")
                    .forEach(
                        each ->
                            variables.put(
                                Json.textOr(each, "", "name"), Json.textOr(each, "", "value")));
                byContainer.put(Json.textOr(container, "", "name"), variables);
              }
              return byContainer;
            });
  }
}
