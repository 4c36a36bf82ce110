package io.fairlead.server.resources.config;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.GoForm;
import io.fairlead.api.schema.Quantity;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resources.kind.NodeSelectorValidation;
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
    checkAffinity(spec.path("nodeAffinity"), problems);
    checkSource(spec, problems);
    ClaimValidation.checkClassAndMode(spec, "spec", problems);
    checkAttributesClass(spec, problems);
  }

  private static void checkAffinity(JsonNode affinity, Problems problems) {
    JsonNode required = affinity.path("required");
    if (required.isObject()) {
      new NodeSelectorValidation(problems).check(required, "spec.nodeAffinity.required");
    } else if (affinity.isObject()) {
      problems.required("spec.nodeAffinity.required", "must specify required node constraints");
    }
  }

  private static void checkAttributesClass(JsonNode spec, Problems problems) {
    JsonNode name = spec.path("volumeAttributesClassName");
    if (name.isMissingNode()) {
      return;
    }
    String path = "spec.volumeAttributesClassName";
    if (name.asString("").isEmpty()) {
      problems.required(path, "an empty string is disallowed");
    } else {
      problems.each(path, name.asString(""), NameValidation.dns1123Subdomain(name.asString("")));
    }
    if (!spec.has("csi")) {
      problems.required("spec.csi", "has to be specified when using volumeAttributesClassName");
    }
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
    VolumeSourceValidation source = new VolumeSourceValidation(problems, true);
    for (String name : SOURCES) {
      if (!spec.has(name)) {
        continue;
      }
      // Drivers beside another source are no fault.
      if (sources++ > 0 && !name.equals("flexVolume")) {
        problems.forbidden(
            "spec." + VolumeSourceValidation.named(name),
            "may not specify more than 1 volume type");
        continue;
      }
      source.check(name, spec.path(name), "spec." + name);
      if (name.equals("local") && !spec.path("nodeAffinity").isObject()) {
        problems.required("spec.nodeAffinity", "Local volume requires node affinity");
      }
    }
    if (sources == 0) {
      problems.required("spec", "must specify a volume type");
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
