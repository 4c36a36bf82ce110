package io.fairlead.agent.volume;

import io.fairlead.agent.discovery.ConfigDataReader;
import io.fairlead.agent.discovery.DownwardFields;
import io.fairlead.agent.discovery.Expansion;
import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.volume.AtomicDirectory.Content;
import io.fairlead.api.json.Json;
import io.fairlead.kernel.syscall.MountPoints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// The volumes of a pod below its directory. Those with content from the API are written again each
/// time; unchanged content is left alone. Safe for many threads, one pod at a time.
public final class PodVolumes {
  /// Gives out tokens of service accounts.
  public interface TokenSource {
    /// @param audience empty for the API's own
    String token(Pod pod, String audience, long seconds);

    /// The pod is gone: its tokens are of no use any more.
    default void forget(Pod pod) {}
  }

  private static final int READABLE = 0644;

  private final ConfigDataReader lookups;
  private final TokenSource tokens;
  private final DownwardFields fields;

  public PodVolumes(ConfigDataReader lookups, TokenSource tokens, DownwardFields fields) {
    this.lookups = lookups;
    this.tokens = tokens;
    this.fields = fields;
  }

  /// Makes or refreshes all volumes of a pod.
  ///
  /// @throws RuntimeFailure naming the first one that cannot be had
  public void write(Pod pod, Path podDirectory) {
    for (JsonNode volume : pod.spec().path("volumes")) {
      String name = Json.textOr(volume, "", "name");
      try {
        write(pod, volume, place(podDirectory, volume));
      } catch (RuntimeFailure e) {
        throw new RuntimeFailure(
            e.reason(), "MountVolume.SetUp failed for volume \"" + name + "\" : " + e.text());
      } catch (UncheckedIOException e) {
        throw new RuntimeFailure(
            "ContainerCreating",
            "MountVolume.SetUp failed for volume \"" + name + "\" : " + e.getMessage());
      }
    }
  }

  private void write(Pod pod, JsonNode volume, Path place) {
    OptionalInt group = group(pod);
    switch (kind(volume)) {
      case "emptyDir" -> {
        if (new EmptyDirectory(place, volume.path("emptyDir")).open()) {
          group.ifPresent(one -> GroupOwnership.give(place, one, true));
        }
      }
      case "hostPath" -> hostPath(volume.path("hostPath"));
      case "projected" -> {
        JsonNode projected = volume.path("projected");
        Map<String, Content> files = new TreeMap<>();
        for (JsonNode source : projected.path("sources")) {
          String kind = kind(source);
          files.putAll(content(pod, kind, source.path(kind), mode(projected, READABLE)));
        }
        fill(place, files, group);
      }
      case "configMap", "secret", "downwardAPI" -> {
        String kind = kind(volume);
        fill(
            place, content(pod, kind, volume.path(kind), mode(volume.path(kind), READABLE)), group);
      }
      default ->
          throw new RuntimeFailure(
              "ContainerCreating", "volumes of kind " + kind(volume) + " are not supported here");
    }
  }

  /// The group that the pod's volumes belong to, if it says one.
  private static OptionalInt group(Pod pod) {
    JsonNode group = Json.at(pod.spec(), "securityContext", "fsGroup");
    return group.isNumber() ? OptionalInt.of(group.asInt(0)) : OptionalInt.empty();
  }

  private static void fill(Path place, Map<String, Content> files, OptionalInt group) {
    if (group.isEmpty()) {
      AtomicDirectory.write(place, files);
      return;
    }
    Map<String, Content> readable = new TreeMap<>();
    files.forEach(
        (name, file) ->
            readable.put(name, new Content(file.bytes(), GroupOwnership.readable(file.mode()))));
    if (AtomicDirectory.write(place, readable)) {
      GroupOwnership.give(place, group.getAsInt(), false);
    }
  }

  private Map<String, Content> content(Pod pod, String kind, JsonNode source, int mode) {
    return switch (kind) {
      case "configMap" -> {
        String name = Json.textOr(source, "", "name");
        yield items(
            source,
            lookups.configMap(pod.namespace(), name),
            "configmap \"" + name + "\" not found",
            mode);
      }
      case "secret" -> {
        String name = Json.textOr(source, Json.textOr(source, "", "name"), "secretName");
        yield items(
            source,
            lookups.secret(pod.namespace(), name),
            "secret \"" + name + "\" not found",
            mode);
      }
      case "downwardAPI" -> downward(pod, source, mode);
      case "serviceAccountToken" ->
          Map.of(
              Json.textOr(source, "token", "path"),
              new Content(
                  tokens
                      .token(
                          pod,
                          Json.textOr(source, "", "audience"),
                          source.path("expirationSeconds").asLong(3600))
                      .getBytes(StandardCharsets.UTF_8),
                  mode));
      default ->
          throw new RuntimeFailure(
              "ContainerCreating", "projections of kind " + kind + " are not supported here");
    };
  }

  private static Map<String, Content> items(
      JsonNode source, Optional<Map<String, byte[]>> data, String missing, int mode) {
    boolean optional = source.path("optional").asBoolean(false);
    if (data.isEmpty() && !optional) {
      throw new RuntimeFailure("ContainerCreating", missing);
    }
    Map<String, byte[]> found = data.orElse(Map.of());
    Map<String, Content> files = new TreeMap<>();
    if (!source.path("items").isEmpty()) {
      for (JsonNode item : source.path("items")) {
        String key = Json.textOr(item, "", "key");
        byte[] bytes = found.get(key);
        if (bytes != null) {
          files.put(Json.textOr(item, key, "path"), new Content(bytes, itemMode(item, mode)));
        } else if (!optional) {
          throw new RuntimeFailure("ContainerCreating", "references non-existent key: " + key);
        }
      }
    } else {
      found.forEach((key, bytes) -> files.put(key, new Content(bytes, mode)));
    }
    return files;
  }

  private Map<String, Content> downward(Pod pod, JsonNode source, int mode) {
    Map<String, Content> files = new TreeMap<>();
    for (JsonNode item : source.path("items")) {
      String path = Json.textOr(item, "", "path");
      JsonNode resource = item.path("resourceFieldRef");
      Optional<String> text =
          resource.isObject()
              ? container(pod, Json.textOr(resource, "", "containerName"))
                  .flatMap(
                      one ->
                          fields.resource(
                              one,
                              Json.textOr(resource, "", "resource"),
                              resource.path("divisor").asString("")))
              : fields.field(pod, Json.textOr(item, "", "fieldRef", "fieldPath"));
      files.put(
          path,
          new Content(
              text.orElseThrow(
                      () ->
                          new RuntimeFailure(
                              "ContainerCreating", "no such field of the pod for " + path))
                  .getBytes(StandardCharsets.UTF_8),
              itemMode(item, mode)));
    }
    return files;
  }

  private static Optional<Container> container(Pod pod, String name) {
    return pod.allContainers().filter(one -> one.name().equals(name)).findFirst();
  }

  private static int mode(JsonNode source, int standard) {
    return source.path("defaultMode").asInt(standard);
  }

  private static int itemMode(JsonNode item, int standard) {
    return item.path("mode").asInt(standard);
  }

  private static void hostPath(JsonNode source) {
    Path path = path(Path.of("/"), Json.textOr(source, "/", "path"));
    String type = Json.textOr(source, "", "type");
    try {
      boolean fits =
          switch (type) {
            case "" -> true;
            case "DirectoryOrCreate" -> {
              Files.createDirectories(path);
              yield true;
            }
            case "FileOrCreate" -> {
              if (!Files.exists(path)) {
                Files.createFile(path);
              }
              yield Files.isRegularFile(path);
            }
            case "Directory" -> Files.isDirectory(path);
            case "File" -> Files.isRegularFile(path);
            default -> Files.exists(path);
          };
      if (!fits) {
        throw new RuntimeFailure(
            "ContainerCreating", "hostPath type check failed: " + path + " is not a " + type);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What a container mounts. Parts of volumes are as they are now, whatever comes later.
  ///
  /// @param environment of the container, which may name parts
  public List<ContainerConfig.Mount> mounts(
      Pod pod, Container container, Path podDirectory, Map<String, String> environment) {
    List<ContainerConfig.Mount> mounts = new ArrayList<>();
    for (JsonNode mount : container.body().path("volumeMounts")) {
      String name = Json.textOr(mount, "", "name");
      for (JsonNode volume : pod.spec().path("volumes")) {
        if (Json.textOr(volume, "", "name").equals(name)) {
          String kind = kind(volume);
          boolean written = !kind.equals("emptyDir") && !kind.equals("hostPath");
          VolumeSubPath part =
              new VolumeSubPath(name, place(podDirectory, volume), part(mount, environment));
          Path place =
              podDirectory
                  .resolve("volume-subpaths")
                  .resolve(name)
                  .resolve(container.name())
                  .resolve(String.valueOf(mounts.size()));
          mounts.add(
              new ContainerConfig.Mount(
                  written ? part.kept(place) : part.mounted(place),
                  Json.textOr(mount, "", "mountPath"),
                  written || mount.path("readOnly").asBoolean(false)));
        }
      }
    }
    return mounts;
  }

  /// The part of the volume that is meant: never all of it because a variable is missing or empty.
  private static String part(JsonNode mount, Map<String, String> environment) {
    String expression = Json.textOr(mount, "", "subPathExpr");
    if (expression.isEmpty()) {
      return Json.textOr(mount, "", "subPath");
    }
    return Expansion.whole(expression, environment)
        .filter(part -> !part.isEmpty())
        .orElseThrow(
            () ->
                new RuntimeFailure(
                    "CreateContainerConfigError",
                    "subPathExpr of volume "
                        + Json.textOr(mount, "", "name")
                        + " names a variable that is missing or empty: "
                        + expression));
  }

  /// Removes everything below a pod's directory, but nothing of volumes that lie elsewhere and are
  /// mounted there.
  public static void remove(Path podDirectory) {
    MountPoints.detachBelow(podDirectory);
    AtomicDirectory.delete(podDirectory);
  }

  private static Path place(Path podDirectory, JsonNode volume) {
    String kind = kind(volume);
    if (kind.equals("hostPath")) {
      return path(Path.of("/"), Json.textOr(volume, "/", "hostPath", "path"));
    }
    String words =
        switch (kind) {
          case "emptyDir" -> "empty-dir";
          case "configMap" -> "configmap";
          case "downwardAPI" -> "downward-api";
          default -> kind;
        };
    String name = Json.textOr(volume, "", "name");
    Path all = podDirectory.resolve("volumes").resolve("kubernetes.io~" + words);
    Path place = path(all, name);
    if (!all.equals(place.getParent()) || !place.equals(place.normalize())) {
      throw new RuntimeFailure("ContainerCreating", "volume name \"" + name + "\" is not valid");
    }
    return place;
  }

  private static Path path(Path base, String text) {
    try {
      return base.resolve(text);
    } catch (InvalidPathException e) {
      throw new RuntimeFailure("ContainerCreating", "path \"" + text + "\" is not valid");
    }
  }

  /// The member that is not the name.
  private static String kind(JsonNode volume) {
    return volume.properties().stream()
        .map(Map.Entry::getKey)
        .filter(key -> !key.equals("name"))
        .findFirst()
        .orElse("emptyDir");
  }
}
