package io.fairlead.server.resources.config;

import io.fairlead.api.schema.GoForm;
import io.fairlead.api.schema.Quantity;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.table.Cells;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// What volumes and claims demand alike.
final class PersistentVolumeValidation {
  private static final Map<String, String> SHORT =
      Map.of(
          "ReadWriteOnce", "RWO",
          "ReadOnlyMany", "ROX",
          "ReadWriteMany", "RWX",
          "ReadWriteOncePod", "RWOP");

  private static final List<String> SOURCES =
      List.of(
          "hostPath",
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "glusterfs",
          "flocker",
          "nfs",
          "rbd",
          "quobyte",
          "cephfs",
          "iscsi",
          "cinder",
          "fc",
          "flexVolume",
          "azureFile",
          "vsphereVolume",
          "photonPersistentDisk",
          "portworxVolume",
          "azureDisk",
          "scaleIO",
          "local",
          "storageos",
          "csi");

  private PersistentVolumeValidation() {}

  static void checkAccessModes(JsonNode modes, String path, Problems problems) {
    boolean single = false;
    boolean other = false;
    for (JsonNode mode : modes) {
      problems.oneOf(path, mode, List.copyOf(new TreeSet<>(SHORT.keySet())));
      boolean ofOnePod = mode.asString("").equals("ReadWriteOncePod");
      single |= ofOnePod;
      other |= !ofOnePod;
    }
    if (single && other) {
      problems.forbidden(path, "may not use ReadWriteOncePod with other access modes");
    }
  }

  /// What a volume of its own demands beyond its access modes.
  static void checkVolume(JsonNode spec, Problems problems) {
    JsonNode modes = spec.path("accessModes");
    if (modes.isEmpty()) {
      problems.required("spec.accessModes");
    }
    checkAccessModes(modes, "spec.accessModes", problems);
    checkCapacity(spec.path("capacity"), problems);
    if (!spec.path("persistentVolumeReclaimPolicy").asString("").isEmpty()) {
      problems.oneOf(
          "spec.persistentVolumeReclaimPolicy",
          spec.path("persistentVolumeReclaimPolicy"),
          List.of("Delete", "Recycle", "Retain"));
    }
    checkSource(spec, problems);
    ClaimValidation.checkClassAndMode(spec, "spec", problems);
  }

  private static void checkCapacity(JsonNode capacity, Problems problems) {
    String path = "spec.capacity";
    if (capacity.isEmpty()) {
      problems.required(path);
    }
    if (!capacity.has("storage") || capacity.size() > 1) {
      problems.add(
          FieldError.notSupported(
              path,
              capacity.isObject() ? GoForm.sorted(capacity) : JsonNodeFactory.instance.nullNode(),
              List.of("storage")));
    }
    for (Map.Entry<String, JsonNode> entry : capacity.properties()) {
      String at = path + "[" + entry.getKey() + "]";
      Quantity quantity = Quantity.parseOrNull(entry.getValue().asString(""));
      if (quantity != null && quantity.signum() < 0) {
        problems.invalid(at, quantity.value(), "must be a valid resource quantity");
      }
      ClaimValidation.checkPositive(entry.getValue(), at, problems);
    }
  }

  private static void checkSource(JsonNode spec, Problems problems) {
    int sources = 0;
    for (String source : SOURCES) {
      if (spec.has(source)) {
        sources++;
        if (sources > 1) {
          problems.forbidden("spec." + source, "may not specify more than 1 volume type");
        }
      }
    }
    if (sources == 0) {
      problems.required("spec", "must specify a volume type");
    }
    for (String source : List.of("hostPath", "local")) {
      String path = spec.path(source).path("path").asString("");
      if (spec.has(source) && path.isEmpty()) {
        problems.required("spec." + source + ".path");
      } else if (List.of(path.split("/", -1)).contains("..")) {
        problems.invalid("spec." + source + ".path", path, "must not contain '..'");
      }
    }
    if (spec.has("local") && !spec.at("/nodeAffinity/required").isObject()) {
      problems.required("spec.nodeAffinity", "Local volume requires node affinity");
    }
    if (spec.at("/hostPath/path").asString("").equals("/")
        && spec.path("persistentVolumeReclaimPolicy").asString("").equals("Recycle")) {
      problems.forbidden(
          "spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'");
    }
  }

  /// `RWO,ROX`.
  static String shown(JsonNode modes) {
    return String.join(
        ",", Cells.strings(modes).stream().map(mode -> SHORT.getOrDefault(mode, mode)).toList());
  }
}
