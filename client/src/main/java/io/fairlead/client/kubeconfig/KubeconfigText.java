package io.fairlead.client.kubeconfig;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The text of a kubeconfig file, checked for its shape: named lists of clusters, users, contexts.
final class KubeconfigText {
  static final List<String> SECTIONS = List.of("clusters", "users", "contexts");

  private KubeconfigText() {}

  /// Reads a file. An empty file is an empty configuration; anything else that is not one throws.
  static ObjectNode read(Path file) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new KubeconfigException(
          "cannot read " + file, reason(e), "Check that the file exists and is yours to read", e);
    }
    if (new String(bytes, StandardCharsets.UTF_8).isBlank()) {
      return Json.object();
    }
    JsonNode tree;
    try {
      tree = parse(bytes);
    } catch (DecodeException e) {
      throw malformed(file, String.valueOf(e.getMessage()), e);
    }
    if (tree.isNull()) {
      return Json.object();
    }
    if (!(tree instanceof ObjectNode config)) {
      throw malformed(file, "it holds no mapping at its top", null);
    }
    check(file, config);
    return config;
  }

  static byte[] write(ObjectNode config) {
    return Yaml.write(config).getBytes(StandardCharsets.UTF_8);
  }

  private static JsonNode parse(byte[] bytes) {
    return Yaml.parse(bytes);
  }

  private static void check(Path file, ObjectNode config) {
    JsonNode kind = config.path("kind");
    if (kind.isString() && !kind.stringValue().equals("Config")) {
      throw malformed(file, "its kind is " + kind.stringValue() + ", not Config", null);
    }
    for (String section : SECTIONS) {
      JsonNode list = config.path(section);
      if (list.isMissingNode() || list.isNull()) {
        continue;
      }
      if (!list.isArray()) {
        throw malformed(file, section + " is not a list", null);
      }
      for (JsonNode entry : list) {
        if (!entry.path("name").isString()) {
          throw malformed(file, "an entry of " + section + " has no name", null);
        }
      }
    }
  }

  private static KubeconfigException malformed(
      Path file, String why, @org.jspecify.annotations.Nullable Throwable cause) {
    String what = file + " is not a kubeconfig";
    String next = "Repair the file or name another one with --kubeconfig; it was left unchanged";
    return cause == null
        ? new KubeconfigException(what, why, next)
        : new KubeconfigException(what, why, next, cause);
  }

  static String reason(IOException e) {
    return switch (e) {
      case java.nio.file.NoSuchFileException _ -> "it does not exist";
      case java.nio.file.AccessDeniedException _ -> "permission denied";
      case java.nio.file.FileAlreadyExistsException _ -> "it exists already";
      default -> {
        String message = e.getMessage();
        yield message == null ? e.getClass().getSimpleName() : message;
      }
    };
  }
}
