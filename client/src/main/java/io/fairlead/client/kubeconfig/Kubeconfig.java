package io.fairlead.client.kubeconfig;

import io.fairlead.api.json.Json;
import io.fairlead.client.ClientConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What one or several kubeconfig files say together.
///
/// Several files are read as kubectl reads them: the first file that names a cluster, a user, a
/// context or the current context wins; a listed file that does not exist is skipped. Paths inside
/// a file are relative to that file.
public final class Kubeconfig {
  /// An entry and the directory its paths start from.
  record Located(ObjectNode body, Path directory) {}

  private final Map<String, Located> clusters = new LinkedHashMap<>();
  private final Map<String, Located> users = new LinkedHashMap<>();
  private final Map<String, Located> contexts = new LinkedHashMap<>();
  private final List<Path> files;
  private @Nullable String currentContext;

  private Kubeconfig(List<Path> files) {
    this.files = List.copyOf(files);
  }

  /// Reads one file, which must exist.
  public static Kubeconfig read(Path file) {
    Kubeconfig config = new Kubeconfig(List.of(file));
    config.add(file);
    return config;
  }

  /// Reads the files kubectl would read: the explicit one, else those listed in `KUBECONFIG`, else
  /// `~/.kube/config`.
  public static Kubeconfig load(
      Optional<Path> explicit, Map<String, String> environment, Path home) {
    if (explicit.isPresent()) {
      return read(explicit.get());
    }
    List<Path> files = KubeconfigFile.candidates(environment, home);
    Kubeconfig config = new Kubeconfig(files);
    for (Path file : files) {
      if (Files.exists(file)) {
        config.add(file);
      }
    }
    return config;
  }

  public Optional<String> currentContext() {
    return Optional.ofNullable(currentContext);
  }

  public List<String> contextNames() {
    return List.copyOf(contexts.keySet());
  }

  /// The connection of the current context.
  public ClientConfig connection() {
    if (currentContext == null) {
      throw new KubeconfigException(
          "no cluster is chosen",
          contexts.isEmpty()
              ? "no context in " + shownFiles()
              : "current-context is not set in " + shownFiles(),
          "Start one with `sudo fairlead up`, or name a context with --context");
    }
    return connection(currentContext);
  }

  /// The connection of a context by name.
  public ClientConfig connection(String contextName) {
    Located context = contexts.get(contextName);
    if (context == null) {
      throw new KubeconfigException(
          "context \"" + contextName + "\" is not usable",
          "it is not in " + shownFiles(),
          contexts.isEmpty()
              ? "Start a cluster with `sudo fairlead up`"
              : "Known contexts: " + String.join(", ", contexts.keySet()));
    }
    String clusterName = Json.textOr(context.body(), "", "cluster");
    String userName = Json.textOr(context.body(), "", "user");
    Located cluster = referenced(clusters, "cluster", clusterName, contextName);
    Located user = userName.isEmpty() ? null : referenced(users, "user", userName, contextName);
    String namespace = Json.textOr(context.body(), "default", "namespace");
    return new ResolvedKubeconfig(clusterName, cluster, userName, user).connection(namespace);
  }

  /// The address of the server a context points at, without a look at certificates and keys. Empty
  /// when there is no such context, or when it names no server.
  public Optional<String> server(String contextName) {
    return Optional.ofNullable(contexts.get(contextName))
        .map(context -> clusters.get(Json.textOr(context.body(), "", "cluster")))
        .map(cluster -> Json.textOr(cluster.body(), "", "server"))
        .filter(server -> !server.isEmpty());
  }

  private Located referenced(
      Map<String, Located> among, String section, String name, String contextName) {
    Located found = among.get(name);
    if (found == null) {
      throw new KubeconfigException(
          "context \"" + contextName + "\" is not usable",
          name.isEmpty()
              ? "it names no " + section
              : "its " + section + " \"" + name + "\" is not in " + shownFiles(),
          "Add it with `kubectl config`, or choose another context");
    }
    return found;
  }

  private void add(Path file) {
    ObjectNode config = KubeconfigText.read(file);
    Path parent = file.toAbsolutePath().getParent();
    Path directory = parent == null ? Path.of("/") : parent;
    collect(config, "clusters", "cluster", directory, clusters);
    collect(config, "users", "user", directory, users);
    collect(config, "contexts", "context", directory, contexts);
    String current = Json.textOr(config, "", "current-context");
    if (currentContext == null && !current.isEmpty()) {
      currentContext = current;
    }
  }

  private static void collect(
      ObjectNode config, String section, String key, Path directory, Map<String, Located> into) {
    for (JsonNode entry : config.path(section)) {
      ObjectNode body = entry.get(key) instanceof ObjectNode found ? found : Json.object();
      into.putIfAbsent(entry.path("name").stringValue(), new Located(body, directory));
    }
  }

  private String shownFiles() {
    List<String> shown = new ArrayList<>();
    files.forEach(file -> shown.add(file.toString()));
    return String.join(", ", shown);
  }
}
