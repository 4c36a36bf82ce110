package io.fairlead.client.kubeconfig;

import io.fairlead.api.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Adds our cluster to a person's kubeconfig and takes it out again, without harm to the rest.
///
/// How it works: the file is read as a tree, so what we do not know stays as it is; only the
/// entries of our name and `current-context` change. Our context remembers, as an extension of its
/// own, which context was current before and whether the file is of our making, so that removal
/// leaves the file as it was found. A file that cannot be understood is never written.
public final class KubeconfigFile {
  private static final String EXTENSION = "fairlead.dev/before";
  private static final String PREVIOUS = "currentContext";
  private static final String CREATED = "createdFile";

  private KubeconfigFile() {}

  /// The files kubectl reads without `--kubeconfig`, in its order.
  public static List<Path> candidates(Map<String, String> environment, Path home) {
    List<Path> files = new ArrayList<>();
    for (String name : environment.getOrDefault("KUBECONFIG", "").split(":", -1)) {
      if (!name.isBlank()) {
        files.add(Path.of(name));
      }
    }
    return files.isEmpty() ? List.of(home.resolve(".kube").resolve("config")) : files;
  }

  /// The file to write to: the first of the candidates that exists, else the last of them.
  public static Path writable(Map<String, String> environment, Path home) {
    List<Path> files = candidates(environment, home);
    for (Path file : files) {
      if (Files.exists(file)) {
        return file;
      }
    }
    return files.getLast();
  }

  /// Sets our entry and makes it the current context. An entry of the same name is replaced; a
  /// missing file is made. The result has mode 0600 and belongs to the caller.
  public static void merge(Path file, KubeconfigEntry entry, CallingUser caller) {
    try (LockedFile safe = LockedFile.open(file, caller)) {
      boolean exists = safe.exists();
      ObjectNode config = exists ? KubeconfigText.read(safe.target()) : Json.object();
      ObjectNode before = before(config, entry.name(), !exists);
      if (config.isEmpty()) {
        config.put("apiVersion", "v1").put("kind", "Config");
      }
      ObjectNode context = entry.context();
      keepNamespace(config, entry.name(), context);
      context.putArray("extensions").addObject().put("name", EXTENSION).set("extension", before);
      put(config, "clusters", "cluster", entry.name(), entry.cluster());
      put(config, "users", "user", entry.name(), entry.user());
      put(config, "contexts", "context", entry.name(), context);
      config.put("current-context", entry.name());
      safe.replace(KubeconfigText.write(config));
    }
  }

  /// Removes the cluster, user and context of that name and restores the context that was current
  /// before. A file of our making that holds nothing else is deleted. True when anything changed; a
  /// missing file or entry changes nothing.
  public static boolean remove(Path file, String name, CallingUser caller) {
    if (!Files.exists(file)) {
      return false;
    }
    try (LockedFile safe = LockedFile.open(file, caller)) {
      ObjectNode config = KubeconfigText.read(safe.target());
      Optional<ObjectNode> before = extension(config, name);
      boolean changed = false;
      for (String section : KubeconfigText.SECTIONS) {
        changed |= drop(config, section, name);
      }
      if (Json.textOr(config, "", "current-context").equals(name)) {
        String previous = before.map(b -> Json.textOr(b, "", PREVIOUS)).orElse("");
        config.put(
            "current-context", find(config, "contexts", previous).isPresent() ? previous : "");
        changed = true;
      }
      if (!changed) {
        return false;
      }
      boolean ours = before.map(b -> b.path(CREATED).asBoolean(false)).orElse(false);
      if (ours && holdsNothing(config)) {
        safe.delete();
      } else {
        safe.replace(KubeconfigText.write(config));
      }
      return true;
    }
  }

  private static ObjectNode before(ObjectNode config, String name, boolean created) {
    Optional<ObjectNode> known = extension(config, name);
    String current = Json.textOr(config, "", "current-context");
    if (known.isPresent() && current.equals(name)) {
      return known.get();
    }
    boolean createdThen = known.map(b -> b.path(CREATED).asBoolean(false)).orElse(false);
    return Json.object().put(PREVIOUS, current).put(CREATED, created || createdThen);
  }

  private static Optional<ObjectNode> extension(ObjectNode config, String name) {
    Optional<ObjectNode> context = find(config, "contexts", name);
    if (context.isPresent()) {
      for (JsonNode extension : Json.at(context.get(), "context", "extensions")) {
        if (EXTENSION.equals(Json.text(extension, "name"))
            && extension.get("extension") instanceof ObjectNode before) {
          return Optional.of(before);
        }
      }
    }
    return Optional.empty();
  }

  /// A namespace chosen for our context survives a restart of the cluster.
  private static void keepNamespace(ObjectNode config, String name, ObjectNode context) {
    find(config, "contexts", name)
        .map(old -> Json.textOr(old, "", "context", "namespace"))
        .filter(namespace -> !namespace.isEmpty())
        .ifPresent(namespace -> context.put("namespace", namespace));
  }

  private static void put(
      ObjectNode config, String section, String key, String name, ObjectNode body) {
    ArrayNode list =
        config.get(section) instanceof ArrayNode found ? found : config.putArray(section);
    for (JsonNode entry : list) {
      if (name.equals(Json.text(entry, "name"))) {
        ((ObjectNode) entry).set(key, body);
        return;
      }
    }
    list.addObject().put("name", name).set(key, body);
  }

  private static boolean drop(ObjectNode config, String section, String name) {
    if (!(config.get(section) instanceof ArrayNode list)) {
      return false;
    }
    boolean dropped = false;
    for (int i = list.size() - 1; i >= 0; i--) {
      if (name.equals(Json.text(list.get(i), "name"))) {
        list.remove(i);
        dropped = true;
      }
    }
    return dropped;
  }

  private static Optional<ObjectNode> find(ObjectNode config, String section, String name) {
    for (JsonNode entry : config.path(section)) {
      if (name.equals(Json.text(entry, "name")) && entry instanceof ObjectNode found) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  private static boolean holdsNothing(ObjectNode config) {
    for (Map.Entry<String, JsonNode> member : config.properties()) {
      boolean dull =
          switch (member.getKey()) {
            case "apiVersion", "kind", "current-context" -> true;
            default -> member.getValue().isEmpty();
          };
      if (!dull) {
        return false;
      }
    }
    return true;
  }
}
