package io.fairlead.server.resources.pod;

import io.fairlead.server.resources.kind.Defaults;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Fills in one volume.
final class VolumeDefaults {
  private static final List<String> FILES =
      List.of("secret", "configMap", "downwardAPI", "projected");
  private static final int FILE_MODE = 0644;
  private static final int TOKEN_SECONDS = 3600;

  private VolumeDefaults() {}

  static void apply(ObjectNode volume) {
    if (volume.isEmpty() || (volume.size() == 1 && volume.has("name"))) {
      volume.putObject("emptyDir");
      return;
    }
    for (String source : FILES) {
      if (volume.get(source) instanceof ObjectNode files) {
        Defaults.missingNumber(files, "defaultMode", FILE_MODE);
      }
    }
    applyToItems(volume.path("downwardAPI"));
    for (JsonNode source : volume.path("projected").path("sources")) {
      applyToItems(source.path("downwardAPI"));
      if (source.get("serviceAccountToken") instanceof ObjectNode token) {
        Defaults.missingNumber(token, "expirationSeconds", TOKEN_SECONDS);
      }
    }
    if (volume.get("hostPath") instanceof ObjectNode path) {
      Defaults.missingText(path, "type", "");
    }
    if (volume.get("iscsi") instanceof ObjectNode target) {
      Defaults.text(target, "iscsiInterface", "default");
    }
    JsonNode claim = volume.path("ephemeral").path("volumeClaimTemplate").path("spec");
    if (claim instanceof ObjectNode spec) {
      Defaults.missingText(spec, "volumeMode", "Filesystem");
    }
  }

  private static void applyToItems(JsonNode downward) {
    for (JsonNode item : downward.path("items")) {
      if (item.get("fieldRef") instanceof ObjectNode reference) {
        Defaults.text(reference, "apiVersion", "v1");
      }
      if (item.get("resourceFieldRef") instanceof ObjectNode reference) {
        Defaults.missingText(reference, "divisor", "0");
      }
    }
  }
}
