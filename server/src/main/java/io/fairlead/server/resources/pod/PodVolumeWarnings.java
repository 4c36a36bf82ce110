package io.fairlead.server.resources.pod;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Finds files of one volume that hide each other, and projected volumes without content.
final class PodVolumeWarnings {
  private static final Map<String, String> KINDS =
      Map.of("configMap", "ConfigMap", "secret", "Secret", "downwardAPI", "DownwardAPI");

  private PodVolumeWarnings() {}

  static void check(JsonNode volumes, List<String> warnings) {
    for (JsonNode volume : volumes) {
      String name = "volume \"" + volume.path("name").asString("") + "\" (";
      checkItems(
          volume.path("configMap"),
          name + "ConfigMap \"" + volume.at("/configMap/name").asString("") + "\")",
          warnings);
      checkItems(
          volume.path("secret"),
          name + "Secret \"" + volume.at("/secret/secretName").asString("") + "\")",
          warnings);
      checkItems(volume.path("downwardAPI"), name + "DownwardAPI)", warnings);
      checkProjected(volume.path("projected").path("sources"), name + "Projected)", warnings);
    }
  }

  private static void checkItems(JsonNode source, String name, List<String> warnings) {
    Set<String> seen = new HashSet<>();
    for (JsonNode item : source.path("items")) {
      String path = item.path("path").asString("");
      if (!seen.add(path)) {
        warnings.add(name + ": overlapping paths: \"" + path + "\" with \"" + path + "\"");
      }
    }
  }

  private static void checkProjected(JsonNode sources, String name, List<String> warnings) {
    Map<String, String> seen = new java.util.HashMap<>();
    for (JsonNode source : sources) {
      if (source.isEmpty()) {
        warnings.add(name + " has no sources provided");
      }
      KINDS.forEach(
          (field, kind) -> {
            String of = source.path(field).path("name").asString("");
            for (JsonNode item : source.path(field).path("items")) {
              String shown = of.isEmpty() ? kind : kind + " \"" + of + "\"";
              add(item.path("path").asString(""), shown, name, seen, warnings);
            }
          });
      if (source.has("serviceAccountToken")) {
        add(
            source.at("/serviceAccountToken/path").asString(""),
            "ServiceAccountToken",
            name,
            seen,
            warnings);
      }
    }
  }

  private static void add(
      String path, String by, String name, Map<String, String> seen, List<String> warnings) {
    String other = seen.putIfAbsent(path, by);
    if (other != null) {
      warnings.add(
          name
              + ": overlapping paths: \""
              + path
              + "\" ("
              + by
              + ") with \""
              + path
              + "\" ("
              + other
              + ")");
    }
  }
}
