package io.fairlead.server.resources.pod;

import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.Quantity;
import io.fairlead.server.resources.config.ClaimValidation;
import io.fairlead.server.resources.config.VolumeSourceValidation;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Checks volumes: each has a name of its own and exactly one source.
final class VolumeValidation {
  /// In the order in which a volume is looked at: the first one that it has is its source.
  private static final List<String> SOURCES =
      List.of(
          "emptyDir",
          "hostPath",
          "gitRepo",
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "secret",
          "nfs",
          "iscsi",
          "glusterfs",
          "flocker",
          "persistentVolumeClaim",
          "rbd",
          "cinder",
          "cephfs",
          "quobyte",
          "downwardAPI",
          "fc",
          "flexVolume",
          "configMap",
          "azureFile",
          "vsphereVolume",
          "photonPersistentDisk",
          "portworxVolume",
          "azureDisk",
          "storageos",
          "projected",
          "scaleIO",
          "csi",
          "ephemeral",
          "image");

  private static final int MOST_MODE = 0777;
  private static final long LEAST_SECONDS = 600;
  private static final long MOST_SECONDS = 1L << 32;

  private VolumeValidation() {}

  /// Returns the names that containers may mount: those of volumes without a fault.
  static Set<String> check(JsonNode volumes, String path, Problems problems) {
    Set<String> names = Problems.seen();
    int index = 0;
    for (JsonNode volume : volumes) {
      String at = path + "[" + index + "]";
      Problems own = new Problems();
      checkSource(volume, at, own);
      String name = volume.path("name").asString("");
      if (name.isEmpty()) {
        own.required(at + ".name");
      } else {
        own.each(at + ".name", name, NameValidation.dns1123Label(name));
      }
      if (names.contains(name)) {
        own.duplicate(at + ".name", name);
      }
      if (own.isEmpty()) {
        names.add(name);
      }
      problems.addAll(own.list());
      index++;
    }
    return names;
  }

  private static void checkSource(JsonNode volume, String path, Problems problems) {
    List<String> sources = SOURCES.stream().filter(volume::has).toList();
    if (sources.isEmpty()) {
      problems.required(path, "must specify a volume type");
      return;
    }
    checkSource(sources.getFirst(), volume, path, problems);
    for (String source : sources.subList(1, sources.size())) {
      problems.forbidden(
          path + "." + VolumeSourceValidation.named(source),
          "may not specify more than 1 volume type");
    }
  }

  private static void checkSource(String name, JsonNode volume, String path, Problems problems) {
    JsonNode source = volume.path(name);
    String at = path + "." + name;
    switch (name) {
      case "emptyDir" -> {
        Quantity size = Quantity.parseOrNull(source.path("sizeLimit").asString(""));
        if (size != null && size.signum() < 0) {
          problems.forbidden(
              at + ".sizeLimit", "SizeLimit field must be a valid resource quantity");
        }
      }
      case "secret" -> {
        checkReference(volume, name, "secretName", path, problems);
        checkFiles(source, at, problems);
      }
      case "configMap" -> {
        checkReference(volume, name, "name", path, problems);
        checkFiles(source, at, problems);
      }
      case "persistentVolumeClaim" -> checkReference(volume, name, "claimName", path, problems);
      case "downwardAPI" -> checkDownward(source, at, problems);
      case "gitRepo" -> {
        checkReference(volume, name, "repository", path, problems);
        checkDescending(source.path("directory"), at + ".directory", problems);
      }
      case "projected" -> checkProjected(source, at, problems);
      case "ephemeral" -> checkEphemeral(source.path("volumeClaimTemplate"), at, problems);
      default -> new VolumeSourceValidation(problems, false).check(name, source, at);
    }
  }

  private static void checkEphemeral(JsonNode claim, String path, Problems problems) {
    String at = path + ".volumeClaimTemplate";
    if (!claim.isObject()) {
      problems.required(at);
      return;
    }
    JsonNode metadata = claim.path("metadata");
    problems.addAll(
        MetadataRules.annotations(metadata.path("annotations"), at + ".metadata.annotations"));
    problems.addAll(MetadataRules.labels(metadata.path("labels"), at + ".metadata.labels"));
    ClaimValidation.checkSpec(claim.path("spec"), at + ".spec", problems);
  }

  private static void checkProjected(JsonNode volume, String path, Problems problems) {
    checkMode(volume.path("defaultMode"), path + ".defaultMode", problems);
    int index = 0;
    for (JsonNode source : volume.path("sources")) {
      String at = path + ".sources[" + index + "]";
      int sources = 0;
      for (String kind : source.propertyNames()) {
        sources++;
        if (sources > 1) {
          problems.forbidden(at + "." + kind, "may not specify more than 1 volume type per source");
        }
      }
      for (String kind : List.of("secret", "configMap")) {
        checkReference(source, kind, "name", at, problems);
        checkFiles(source.path(kind), at + "." + kind, problems);
      }
      checkDownward(source.path("downwardAPI"), at + ".downwardAPI", problems);
      JsonNode token = source.path("serviceAccountToken");
      if (token.isObject()) {
        checkToken(token, at + ".serviceAccountToken", path, problems);
      }
      index++;
    }
  }

  /// The path of a token is reported at the volume, as programs know it.
  private static void checkToken(JsonNode token, String path, String volume, Problems problems) {
    JsonNode seconds = token.path("expirationSeconds");
    if (seconds.asLong(LEAST_SECONDS) < LEAST_SECONDS) {
      problems.invalid(
          path + ".expirationSeconds", seconds, "may not specify a duration less than 10 minutes");
    } else if (seconds.asLong(0) > MOST_SECONDS) {
      problems.invalid(
          path + ".expirationSeconds",
          seconds,
          "may not specify a duration larger than 2^32 seconds");
    }
    checkFile(token, volume, problems);
  }

  /// The files of a Secret or a ConfigMap.
  private static void checkFiles(JsonNode source, String path, Problems problems) {
    checkMode(source.path("defaultMode"), path + ".defaultMode", problems);
    int index = 0;
    for (JsonNode item : source.path("items")) {
      String at = path + ".items[" + index + "]";
      if (item.path("key").asString("").isEmpty()) {
        problems.required(at + ".key");
      }
      checkFile(item, at, problems);
      checkMode(item.path("mode"), at + ".mode", problems);
      index++;
    }
  }

  /// Files with fields of the pod; what is wrong with one is reported without its number.
  private static void checkDownward(JsonNode source, String path, Problems problems) {
    checkMode(source.path("defaultMode"), path + ".defaultMode", problems);
    for (JsonNode item : source.path("items")) {
      checkFile(item, path, problems);
      if (item.has("fieldRef")) {
        FieldReferenceValidation.checkField(
            item.path("fieldRef"), true, path + ".fieldRef", problems);
        if (item.has("resourceFieldRef")) {
          problems.invalid(
              path,
              "resource",
              "fieldRef and resourceFieldRef can not be specified simultaneously");
        }
      } else if (item.has("resourceFieldRef")) {
        FieldReferenceValidation.checkResource(
            item.path("resourceFieldRef"), true, path + ".resourceFieldRef", problems);
      } else {
        problems.required(path, "one of fieldRef and resourceFieldRef is required");
      }
      checkMode(item.path("mode"), path + ".mode", problems);
    }
  }

  private static void checkMode(JsonNode mode, String path, Problems problems) {
    if (mode.isNumber() && (mode.asLong(0) < 0 || mode.asLong(0) > MOST_MODE)) {
      problems.invalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive");
    }
  }

  /// A file in a volume lies in it, and is none of the `..data` names by which the agent exchanges
  /// all files at once.
  private static void checkFile(JsonNode item, String path, Problems problems) {
    String file = item.path("path").asString("");
    String at = path + ".path";
    if (file.isEmpty()) {
      problems.required(at);
    }
    checkDescending(item.path("path"), at, problems);
    if (file.startsWith("..") && !file.startsWith("../")) {
      problems.invalid(at, file, "must not start with '..'");
    }
  }

  private static void checkDescending(JsonNode value, String path, Problems problems) {
    String text = value.asString("");
    if (text.startsWith("/")) {
      problems.invalid(path, text, "must be a relative path");
    }
    checkBacksteps(value, path, problems);
  }

  private static void checkBacksteps(JsonNode value, String path, Problems problems) {
    String text = value.asString("");
    if (List.of(text.split("/", -1)).contains("..")) {
      problems.invalid(path, text, "must not contain '..'");
    }
  }

  private static void checkReference(
      JsonNode volume, String source, String field, String path, Problems problems) {
    if (volume.has(source) && volume.path(source).path(field).asString("").isEmpty()) {
      problems.required(path + "." + source + "." + field);
    }
  }
}
