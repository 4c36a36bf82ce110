package io.fairlead.server.resources.storage;

import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.table.Cells;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/// What volumes and claims demand alike.
final class VolumeRules {
  private static final Map<String, String> SHORT =
      Map.of(
          "ReadWriteOnce", "RWO",
          "ReadOnlyMany", "ROX",
          "ReadWriteMany", "RWX",
          "ReadWriteOncePod", "RWOP");

  private VolumeRules() {}

  static void checkAccessModes(JsonNode modes, Problems problems) {
    if (modes.isEmpty()) {
      problems.required("spec.accessModes", "at least 1 access mode is required");
    }
    for (JsonNode mode : modes) {
      problems.oneOf("spec.accessModes", mode, List.copyOf(new TreeSet<>(SHORT.keySet())));
    }
  }

  /// `RWO,ROX`.
  static String shown(JsonNode modes) {
    return String.join(
        ",", Cells.strings(modes).stream().map(mode -> SHORT.getOrDefault(mode, mode)).toList());
  }
}
