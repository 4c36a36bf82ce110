package io.fairlead.agent.discovery;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// The environment of a container: `envFrom` in order, then `env`, which wins, then the variables
/// of Services that nothing else has set.
public final class ContainerEnvironment {
  private static final String PROBLEM = "CreateContainerConfigError";

  private final Pod pod;
  private final Container container;
  private final ConfigDataReader lookups;
  private final DownwardFields fields;
  private final Map<String, String> services = new LinkedHashMap<>();
  private final Map<String, String> result = new LinkedHashMap<>();

  private ContainerEnvironment(
      Pod pod, Container container, ConfigDataReader lookups, DownwardFields fields) {
    this.pod = pod;
    this.container = container;
    this.lookups = lookups;
    this.fields = fields;
  }

  /// @param services what [ServiceVariables] gives
  /// @throws RuntimeFailure when something referred to is not there
  public static Map<String, String> of(
      Pod pod,
      Container container,
      List<Map.Entry<String, String>> services,
      ConfigDataReader lookups,
      DownwardFields fields) {
    ContainerEnvironment environment = new ContainerEnvironment(pod, container, lookups, fields);
    services.forEach(one -> environment.services.put(one.getKey(), one.getValue()));
    container.body().path("envFrom").forEach(environment::whole);
    container.body().path("env").forEach(environment::single);
    environment.services.forEach(environment.result::putIfAbsent);
    return environment.result;
  }

  private void whole(JsonNode source) {
    String prefix = Json.textOr(source, "", "prefix");
    for (boolean secret : List.of(false, true)) {
      JsonNode reference = source.path(secret ? "secretRef" : "configMapRef");
      if (reference.isObject()) {
        Optional<Map<String, byte[]>> data = data(reference, secret);
        data.ifPresent(
            found ->
                new TreeMap<>(found)
                    .forEach((key, value) -> result.put(prefix + key, text(value))));
      }
    }
  }

  private void single(JsonNode variable) {
    String name = Json.textOr(variable, "", "name");
    JsonNode source = variable.path("valueFrom");
    // A later variable of the same name takes the place of the earlier one, at the end.
    if (!source.isObject()) {
      Map<String, String> known = new LinkedHashMap<>(services);
      known.putAll(result);
      put(name, Expansion.of(Json.textOr(variable, "", "value"), known));
    } else if (source.path("fieldRef").isObject()) {
      String path = Json.textOr(source, "", "fieldRef", "fieldPath");
      put(
          name,
          fields
              .field(pod, path)
              .orElseThrow(() -> new RuntimeFailure(PROBLEM, "unsupported fieldPath: " + path)));
    } else if (source.path("resourceFieldRef").isObject()) {
      JsonNode reference = source.path("resourceFieldRef");
      resource(name, reference);
    } else {
      boolean secret = source.path("secretKeyRef").isObject();
      key(name, source.path(secret ? "secretKeyRef" : "configMapKeyRef"), secret);
    }
  }

  private void resource(String name, JsonNode reference) {
    String of = Json.textOr(reference, container.name(), "containerName");
    Container asked =
        pod.allContainers().filter(one -> one.name().equals(of)).findFirst().orElse(container);
    String resource = Json.textOr(reference, "", "resource");
    put(
        name,
        fields
            .resource(asked, resource, reference.path("divisor").asString(""))
            .orElseThrow(
                () -> new RuntimeFailure(PROBLEM, "unsupported container resource: " + resource)));
  }

  private void key(String name, JsonNode reference, boolean secret) {
    Optional<Map<String, byte[]>> data = data(reference, secret);
    if (data.isEmpty()) {
      return;
    }
    String key = Json.textOr(reference, "", "key");
    byte[] value = data.get().get(key);
    if (value != null) {
      put(name, text(value));
    } else if (!optional(reference)) {
      throw new RuntimeFailure(
          PROBLEM,
          "couldn't find key "
              + key
              + " in "
              + (secret ? "Secret " : "ConfigMap ")
              + pod.namespace()
              + "/"
              + Json.textOr(reference, "", "name"));
    }
  }

  private Optional<Map<String, byte[]>> data(JsonNode reference, boolean secret) {
    String name = Json.textOr(reference, "", "name");
    Optional<Map<String, byte[]>> data =
        secret ? lookups.secret(pod.namespace(), name) : lookups.configMap(pod.namespace(), name);
    if (data.isEmpty() && !optional(reference)) {
      throw new RuntimeFailure(
          PROBLEM, (secret ? "secret" : "configmap") + " \"" + name + "\" not found");
    }
    return data;
  }

  private static boolean optional(JsonNode reference) {
    return reference.path("optional").asBoolean(false);
  }

  private void put(String name, String value) {
    result.remove(name);
    result.put(name, value);
  }

  private static String text(byte[] value) {
    return new String(value, StandardCharsets.UTF_8);
  }
}
