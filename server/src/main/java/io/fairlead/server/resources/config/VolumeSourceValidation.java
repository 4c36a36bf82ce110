package io.fairlead.server.resources.config;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resources.kind.DriverNames;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Checks where the data of a volume is: the sources that pods and persistent volumes share.
public final class VolumeSourceValidation {
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
  private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
  private static final List<String> SECRETS =
      List.of(
          "controllerPublishSecretRef",
          "controllerExpandSecretRef",
          "nodePublishSecretRef",
          "nodeExpandSecretRef");
  private static final String PORTS =
      "must be a host:port pair or multiple pairs separated by commas";

  /// The fields that must be there, where no more is checked.
  private static final Map<String, List<String>> REQUIRED =
      Map.ofEntries(
          Map.entry("awsElasticBlockStore", List.of("volumeID")),
          Map.entry("azureFile", List.of("secretName", "shareName")),
          Map.entry("cephfs", List.of("monitors")),
          Map.entry("cinder", List.of("volumeID")),
          Map.entry("flexVolume", List.of("driver")),
          Map.entry("glusterfs", List.of("endpoints", "path")),
          Map.entry("photonPersistentDisk", List.of("pdID")),
          Map.entry("portworxVolume", List.of("volumeID")),
          Map.entry("rbd", List.of("monitors", "image")),
          Map.entry("scaleIO", List.of("gateway", "system", "volumeName")),
          Map.entry("vsphereVolume", List.of("volumePath")));

  private final Problems problems;
  private final boolean persistent;

  /// @param persistent whether it is of a persistent volume, not of a pod
  public VolumeSourceValidation(Problems problems, boolean persistent) {
    this.problems = problems;
    this.persistent = persistent;
  }

  /// What a second source is called in the message about it.
  public static String named(String source) {
    return switch (source) {
      case "cephfs" -> "cephFS";
      case "downwardAPI" -> "downwarAPI";
      default -> source;
    };
  }

  /// Checks one source of that name at `path`, which ends with the name.
  public void check(String name, JsonNode source, String path) {
    require(source, path, REQUIRED.getOrDefault(name, List.of()));
    switch (name) {
      case "hostPath" -> hostPath(source, path);
      case "gcePersistentDisk" ->
          require(source, path.replace("gcePersistentDisk", "persistentDisk"), List.of("pdName"));
      case "nfs" -> nfs(source, path);
      case "iscsi" -> iscsi(source, path);
      case "fc" -> fibreChannel(source, path);
      case "flocker" -> flocker(source, path);
      case "quobyte" -> quobyte(source, path);
      case "azureDisk" -> azureDisk(source, path);
      case "storageos" -> {
        if (persistent) {
          require(source, path, List.of("volumeName"));
        }
      }
      case "csi" -> csi(source, path);
      case "image" -> {
        require(source, path, List.of("reference"));
        if (source.has("pullPolicy")) {
          problems.oneOf(path + ".pullPolicy", source.path("pullPolicy"), PULL_POLICIES);
        }
      }
      case "local" -> {
        require(source, path, List.of("path"));
        backsteps(source.path("path").asString(""), path + ".path");
      }
      default -> {
        // Nothing beyond the fields that must be there.
      }
    }
  }

  private void require(JsonNode source, String path, List<String> fields) {
    for (String field : fields) {
      JsonNode value = source.path(field);
      if (value.isArray() ? value.isEmpty() : value.asString("").isEmpty()) {
        problems.required(path + "." + field);
      }
    }
  }

  private void hostPath(JsonNode source, String path) {
    require(source, path, List.of("path"));
    backsteps(source.path("path").asString(""), path + ".path");
    JsonNode type = source.path("type");
    if (type.isString()) {
      problems.oneOf(path + ".type", type, PATH_TYPES);
    }
  }

  private void backsteps(String text, String path) {
    if (List.of(text.split("/", -1)).contains("..")) {
      problems.invalid(path, text, "must not contain '..'");
    }
  }

  private void nfs(JsonNode source, String path) {
    require(source, path, List.of("server", "path"));
    String exported = source.path("path").asString("");
    if (!exported.startsWith("/")) {
      problems.invalid(path + ".path", exported, "must be an absolute path");
    }
  }

  private void iscsi(JsonNode source, String path) {
    require(source, path, List.of("targetPortal"));
    String format = "must be valid format" + (persistent ? "" : " starting with iqn, eui, or naa");
    String target = source.path("iqn").asString("");
    if (target.isEmpty()) {
      problems.required(path + ".iqn");
    } else if (!isIscsiName(target)) {
      problems.invalid(path + ".iqn", target, format);
    }
    long unit = source.path("lun").asLong(0);
    if (unit < 0 || unit > 255) {
      problems.invalid(path + ".lun", unit, NameValidation.between(0, 255));
    }
    boolean authenticates =
        source.path("chapAuthDiscovery").asBoolean(false)
            || source.path("chapAuthSession").asBoolean(false);
    if (authenticates && !source.has("secretRef")) {
      problems.required(path + ".secretRef");
    }
    JsonNode initiator = source.path("initiatorName");
    if (initiator.isString() && !isIscsiName(initiator.asString(""))) {
      problems.invalid(path + ".initiatorname", initiator, format);
    }
  }

  private static boolean isIscsiName(String name) {
    return name.startsWith("iqn.") || name.startsWith("eui.") || name.startsWith("naa.");
  }

  private void fibreChannel(JsonNode source, String path) {
    JsonNode names = source.path("targetWWNs");
    if (names.isEmpty() && source.path("wwids").isEmpty()) {
      problems.required(
          path + ".targetWWNs", "must specify either targetWWNs or wwids, but not both");
    } else if (!names.isEmpty() && !source.path("wwids").isEmpty()) {
      problems.invalid(
          path + ".targetWWNs", names, "targetWWNs and wwids can not be specified simultaneously");
    } else if (!names.isEmpty() && !source.has("lun")) {
      problems.required(path + ".lun", "lun is required if targetWWNs is specified");
    }
  }

  private void flocker(JsonNode source, String path) {
    boolean named = !source.path("datasetName").asString("").isEmpty();
    boolean known = !source.path("datasetUUID").asString("").isEmpty();
    if (!named && !known) {
      problems.required(path, "one of datasetName and datasetUUID is required");
    } else if (named && known) {
      problems.invalid(
          path, "resource", "datasetName and datasetUUID can not be specified simultaneously");
    }
  }

  private void quobyte(JsonNode source, String path) {
    String registry = source.path("registry").asString("");
    if (registry.isEmpty()) {
      problems.required(path + ".registry", PORTS);
    } else {
      for (String pair : registry.split(",", -1)) {
        if (!pair.matches("[^:]*:[^:]*")) {
          problems.invalid(path + ".registry", registry, PORTS);
        }
      }
    }
    require(source, path, List.of("volume"));
  }

  private void azureDisk(JsonNode source, String path) {
    if (source.has("cachingMode")) {
      problems.oneOf(
          path + ".cachingMode",
          source.path("cachingMode"),
          List.of("None", "ReadOnly", "ReadWrite"));
    }
    String kind = source.path("kind").asString("Shared");
    if (source.has("kind")) {
      problems.oneOf(
          path + ".kind", source.path("kind"), List.of("Dedicated", "Managed", "Shared"));
    }
    require(source, path, List.of("diskName", "diskURI"));
    String uri = source.path("diskURI").asString("");
    boolean managed = kind.equals("Managed");
    if (!uri.startsWith(managed ? "/subscriptions/" : "https://")) {
      problems.add(
          FieldError.notSupported(
              path + ".diskURI",
              source.has("diskURI") ? source.path("diskURI") : Problems.EMPTY_TEXT,
              List.of(
                  managed
                      ? "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers"
                          + "/microsoft.compute/disks/{disk-id}"
                      : "https://{account-name}.blob.core.windows.net/{container-name}"
                          + "/{disk-name}.vhd")));
    }
  }

  private void csi(JsonNode source, String path) {
    DriverNames.check(source.path("driver").asString(""), path + ".driver", problems);
    if (!persistent) {
      JsonNode secret = source.path("nodePublishSecretRef");
      if (secret.isObject()) {
        String name = secret.path("name").asString("");
        if (name.isEmpty()) {
          problems.required(path + ".nodePublishSecretRef.name");
        } else {
          problems.each(path + ".name", name, NameValidation.dns1123Subdomain(name));
        }
      }
      return;
    }
    require(source, path, List.of("volumeHandle"));
    for (String reference : SECRETS) {
      JsonNode secret = source.path(reference);
      if (secret.isObject()) {
        String name = secret.path("name").asString("");
        if (name.isEmpty()) {
          problems.required(path + "." + reference + ".name");
        } else {
          problems.each(
              path + "." + reference + ".name", name, NameValidation.dns1123Subdomain(name));
        }
        String namespace = secret.path("namespace").asString("");
        if (namespace.isEmpty()) {
          problems.required(path + "." + reference + ".namespace");
        } else {
          problems.each(
              path + "." + reference + ".namespace",
              namespace,
              NameValidation.dns1123Label(namespace));
        }
      }
    }
  }
}
