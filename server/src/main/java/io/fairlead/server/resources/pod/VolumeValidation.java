package io.fairlead.server.resources.pod;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.Quantity;
import io.fairlead.server.resources.config.ClaimValidation;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Checks volumes: each has a name of its own and exactly one source.
final class VolumeValidation {
  private static final List<String> PATH_TYPES =
      List.of(
          "",
          "BlockDevice",
          "CharDevice",
          "Directory",
          "DirectoryOrCreate",
          "File",
          "FileOrCreate",
          "Socket");
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
    Quantity size = Quantity.parseOrNull(volume.at("/emptyDir/sizeLimit").asString(""));
    if (size != null && size.signum() < 0) {
      problems.forbidden(
          path + ".emptyDir.sizeLimit", "SizeLimit field must be a valid resource quantity");
    }
    checkReference(volume, "secret", "secretName", path, problems);
    checkReference(volume, "configMap", "name", path, problems);
    checkReference(volume, "persistentVolumeClaim", "claimName", path, problems);
    checkReference(volume, "hostPath", "path", path, problems);
    checkBacksteps(volume.path("hostPath").path("path"), path + ".hostPath.path", problems);
    JsonNode type = volume.path("hostPath").path("type");
    if (type.isString()) {
      problems.oneOf(path + ".hostPath.type", type, PATH_TYPES);
    }
    checkFiles(volume.path("secret"), path + ".secret", problems);
    checkFiles(volume.path("configMap"), path + ".configMap", problems);
    checkDownward(volume.path("downwardAPI"), path + ".downwardAPI", problems);
    checkDescending(
        volume.path("gitRepo").path("directory"), path + ".gitRepo.directory", problems);
    checkProjected(volume.path("projected"), path + ".projected", problems);
    JsonNode claim = volume.path("ephemeral").path("volumeClaimTemplate");
    if (volume.has("ephemeral")) {
      if (claim.isObject()) {
        ClaimValidation.checkSpec(
            claim.path("spec"), path + ".ephemeral.volumeClaimTemplate.spec", problems);
      } else {
        problems.required(path + ".ephemeral.volumeClaimTemplate");
      }
    }
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
