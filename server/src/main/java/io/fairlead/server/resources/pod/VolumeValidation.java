package io.fairlead.server.resources.pod;

import io.fairlead.api.names.Names;
import io.fairlead.server.resources.kind.Problems;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Checks volumes: each has a name of its own and exactly one source.
final class VolumeValidation {
  private VolumeValidation() {}

  /// Returns the names that containers may mount.
  static Set<String> check(JsonNode volumes, String path, Problems problems) {
    Set<String> names = Problems.seen();
    int index = 0;
    for (JsonNode volume : volumes) {
      String at = path + "[" + index + "]";
      checkSource(volume, at, problems);
      String name = volume.path("name").asString("");
      if (name.isEmpty()) {
        problems.required(at + ".name");
      } else {
        problems.each(at + ".name", name, Names.dns1123Label(name));
        problems.unique(at + ".name", name, names);
      }
      index++;
    }
    return names;
  }

  private static void checkSource(JsonNode volume, String path, Problems problems) {
    int sources = 0;
    for (String source : volume.propertyNames()) {
      if (source.equals("name")) {
        continue;
      }
      sources++;
      if (sources > 1) {
        problems.forbidden(path + "." + source, "may not specify more than 1 volume type");
      }
    }
    if (sources == 0) {
      problems.required(path, "must specify a volume type");
    }
    checkReference(volume, "secret", "secretName", path, problems);
    checkReference(volume, "configMap", "name", path, problems);
    checkReference(volume, "persistentVolumeClaim", "claimName", path, problems);
    checkReference(volume, "hostPath", "path", path, problems);
  }

  private static void checkReference(
      JsonNode volume, String source, String field, String path, Problems problems) {
    if (volume.has(source) && volume.path(source).path(field).asString("").isEmpty()) {
      problems.required(path + "." + source + "." + field);
    }
  }
}
