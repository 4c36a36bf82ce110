package io.fairlead.insight.evidence;

import io.fairlead.api.json.Json;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// A workload that makes pods.
///
/// @param kind in lower case, as kubectl takes it
/// @param replicas how many it asks for
/// @param labels those of its pods
public record Owner(String kind, String name, int replicas, Map<String, String> labels) {
  public Owner {
    labels = Map.copyOf(labels);
  }

  public static Owner of(String kind, JsonNode object) {
    Map<String, String> labels = new TreeMap<>();
    Json.at(object, "spec", "template", "metadata", "labels")
        .properties()
        .forEach(one -> labels.put(one.getKey(), one.getValue().asString("")));
    return new Owner(
        kind.toLowerCase(Locale.ROOT),
        Json.textOr(object, "", "metadata", "name"),
        Json.at(object, "spec", "replicas").asInt(1),
        labels);
  }
}
