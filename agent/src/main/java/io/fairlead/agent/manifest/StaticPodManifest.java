package io.fairlead.agent.manifest;

import io.fairlead.agent.pod.Pod;
import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.yaml.Yaml;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the file of a static pod. Pure.
///
/// The pod is named after the node, so that the same file on many nodes makes many pods. Its uid is
/// made from the file's place and content: a changed file is another pod, and an agent that starts
/// again knows its pods.
public final class StaticPodManifest {
  private static final int HASH_LENGTH = 32;
  private static final Set<String> REFERENCES =
      Set.of(
          "configMap",
          "secret",
          "configMapRef",
          "secretRef",
          "configMapKeyRef",
          "secretKeyRef",
          "serviceAccountToken",
          "imagePullSecrets",
          "persistentVolumeClaim");

  private StaticPodManifest() {}

  /// @param seen when the file was seen first
  /// @throws BadManifest when it is no pod that can run without the API
  public static Pod read(Path file, byte[] content, String node, Instant seen) throws BadManifest {
    ObjectNode body = parse(content);
    check(body);
    String hash = hash(file, node, body);
    ObjectNode metadata = Json.child(body, "metadata");
    metadata.remove(
        List.of("creationTimestamp", "deletionTimestamp", "resourceVersion", "generateName"));
    metadata.put("name", Json.textOr(metadata, "", "name") + "-" + node.toLowerCase(Locale.ROOT));
    metadata.put("namespace", Json.textOr(metadata, "default", "namespace"));
    metadata.put("uid", hash);
    Json.child(metadata, "annotations")
        .put(Pod.CONFIG_HASH, hash)
        .put(Pod.CONFIG_SEEN, seen.truncatedTo(ChronoUnit.MICROS).toString())
        .put(Pod.CONFIG_SOURCE, "file");
    ObjectNode spec = Json.child(body, "spec");
    spec.put("nodeName", node);
    spec.withArray("tolerations").addObject().put("operator", "Exists").put("effect", "NoExecute");
    for (String list : List.of("initContainers", "containers")) {
      spec.path(list).forEach(StaticPodManifest::pullPolicy);
    }
    body.remove("status");
    return Pod.of(body);
  }

  private static ObjectNode parse(byte[] content) throws BadManifest {
    JsonNode parsed;
    try {
      parsed = Yaml.parse(content);
    } catch (JacksonException e) {
      throw new BadManifest("neither YAML nor JSON: " + e.getOriginalMessage());
    } catch (RuntimeException e) {
      throw new BadManifest("neither YAML nor JSON: " + e.getMessage());
    }
    if (!(parsed instanceof ObjectNode object)) {
      throw new BadManifest("not an object; one Pod per file is expected");
    }
    return object;
  }

  private static void check(ObjectNode body) throws BadManifest {
    String kind = Json.textOr(body, "", "apiVersion") + " " + Json.textOr(body, "", "kind");
    if (!kind.equals("v1 Pod")) {
      throw new BadManifest("apiVersion and kind are \"" + kind.strip() + "\", not v1 Pod");
    }
    String name = Json.textOr(body, "", "metadata", "name");
    if (!NameValidation.dns1123Subdomain(name).isEmpty()) {
      throw new BadManifest("metadata.name \"" + name + "\" is no name of a pod");
    }
    JsonNode containers = Json.at(body, "spec", "containers");
    if (containers.isEmpty()) {
      throw new BadManifest("spec.containers is empty");
    }
    for (JsonNode container : containers) {
      if (Json.textOr(container, "", "name").isEmpty()
          || Json.textOr(container, "", "image").isEmpty()) {
        throw new BadManifest("every container needs a name and an image");
      }
    }
    String account = Json.textOr(body, "", "spec", "serviceAccountName");
    Optional<String> reference =
        account.isEmpty() ? reference(body.path("spec")) : Optional.of("serviceAccountName");
    if (reference.isPresent()) {
      throw new BadManifest(
          "a static pod runs without the API and cannot use its objects: " + reference.get());
    }
  }

  /// The first member that refers to another object.
  private static Optional<String> reference(@Nullable JsonNode node) {
    if (node == null) {
      return Optional.empty();
    }
    for (var member : node.properties()) {
      if (REFERENCES.contains(member.getKey())) {
        return Optional.of(member.getKey());
      }
      Optional<String> inside = reference(member.getValue());
      if (inside.isPresent()) {
        return inside;
      }
    }
    for (JsonNode item : node.isArray() ? node : Json.array()) {
      Optional<String> inside = reference(item);
      if (inside.isPresent()) {
        return inside;
      }
    }
    return Optional.empty();
  }

  /// As the API would have it.
  private static void pullPolicy(JsonNode container) {
    if (container instanceof ObjectNode object && !object.has("imagePullPolicy")) {
      String image = Json.textOr(object, "", "image");
      String last = image.substring(image.lastIndexOf('/') + 1);
      boolean latest = !image.contains("@") && (!last.contains(":") || last.endsWith(":latest"));
      object.put("imagePullPolicy", latest ? "Always" : "IfNotPresent");
    }
  }

  private static String hash(Path file, String node, ObjectNode body) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update((file.toAbsolutePath() + "\n" + node + "\n").getBytes(StandardCharsets.UTF_8));
      digest.update(Json.bytes(body));
      return HexFormat.of().formatHex(digest.digest()).substring(0, HASH_LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }
}
