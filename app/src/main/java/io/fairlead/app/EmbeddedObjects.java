package io.fairlead.app;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.Discovery;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a test does with the objects of an embedded cluster beside its own client: applies
/// manifests, waits, and shows what there is when it failed. Used by one thread at a time.
final class EmbeddedObjects implements AutoCloseable {
  private static final String MANAGER = "fairlead-junit";
  private static final Duration CHECK = Duration.ofMillis(20);
  private static final Duration MADE_READY = Duration.ofSeconds(30);
  private static final int EVENTS_SHOWN = 40;

  private final Client client;
  private final Ticker ticker;
  private final Pacer pacer;
  private Discovery served = new Discovery(List.of(), List.of());

  EmbeddedObjects(Client client, Ticker ticker, Pacer pacer) {
    this.client = client;
    this.ticker = ticker;
    this.pacer = pacer;
  }

  /// Makes a namespace and waits until pods can be made in it.
  void createNamespace(String name) {
    ObjectNode namespace = Json.object();
    namespace.putObject("metadata").put("name", name);
    client.create(ResourceType.NAMESPACES, "", namespace);
    ObjectKey account = new ObjectKey(name, "default");
    if (!await(() -> client.find(ResourceType.SERVICE_ACCOUNTS, account).isPresent(), MADE_READY)) {
      throw new IllegalStateException(
          "the namespace " + name + " got no service account `default` within " + MADE_READY);
    }
  }

  /// Deletes a namespace with all in it, in the background. One that is not there is no fault.
  void deleteNamespace(String name) {
    try {
      client.delete(
          ResourceType.NAMESPACES, new ObjectKey("", name), DeleteOptions.DEFAULT.within(0));
    } catch (ApiException e) {
      if (e.status().code() != 404) {
        throw e;
      }
    }
  }

  /// Applies all objects of a manifest. A CustomResourceDefinition is established when this
  /// returns, so objects of its kind may follow in the same manifest.
  ///
  /// @return what was applied, such as `Service/web`
  List<String> apply(String manifest, String namespace) {
    List<String> applied = new ArrayList<>();
    for (ObjectNode object : Yaml.objects(manifest)) {
      ResourceType type = type(object);
      ObjectNode metadata = Json.child(object, "metadata");
      if (type.namespaced() && Json.textOr(metadata, "", "namespace").isEmpty()) {
        metadata.put("namespace", namespace);
      }
      String name = type.kind() + "/" + Json.textOr(metadata, "", "name");
      try {
        client.apply(type, object, MANAGER, true);
      } catch (ApiException e) {
        throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
      }
      if (type.kind().equals("CustomResourceDefinition")
          && !await(() -> holds(type, ObjectKey.of(object), "Established"), MADE_READY)) {
        throw new IllegalStateException(name + " was not established within " + MADE_READY);
      }
      applied.add(name);
    }
    return applied;
  }

  private ResourceType type(ObjectNode object) {
    String apiVersion = Json.textOr(object, "", "apiVersion");
    String kind = Json.textOr(object, "", "kind");
    int slash = apiVersion.indexOf('/');
    String group = slash < 0 ? "" : apiVersion.substring(0, slash);
    String version = apiVersion.substring(slash + 1);
    ResourceType type =
        type(
            found -> found.group().equals(group) && found.kind().equals(kind),
            apiVersion + " " + kind);
    return new ResourceType(group, version, type.plural(), kind, type.namespaced());
  }

  private ResourceType type(java.util.function.Predicate<ResourceType> wanted, String name) {
    for (boolean fresh : new boolean[] {false, true}) {
      if (fresh) {
        served = Discovery.of(client);
      }
      Optional<ResourceType> found =
          served.resources().stream()
              .map(Discovery.ServedResource::type)
              .filter(wanted)
              .findFirst();
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw new IllegalArgumentException(
        "the cluster serves no " + name + ". Is its CustomResourceDefinition applied?");
  }

  /// Waits until something holds for an object.
  ///
  /// @param object kind or resource and name: `deployment/web`, `pods/a`, `widgets.example.com/x`
  /// @param condition `exists`, `gone`, or a type of its conditions, `Available` or `Ready=False`
  /// @return whether it came to hold in time
  boolean await(String object, String namespace, String condition, Duration limit) {
    int slash = object.indexOf('/');
    if (slash < 1 || slash == object.length() - 1) {
      throw new IllegalArgumentException(
          "`" + object + "` names no object. Write KIND/NAME, such as deployment/web");
    }
    String word = object.substring(0, slash).toLowerCase(Locale.ROOT);
    ResourceType type = type(found -> isNamed(found, word), word);
    ObjectKey key = new ObjectKey(type.namespaced() ? namespace : "", object.substring(slash + 1));
    return await(() -> holds(type, key, condition), limit);
  }

  private static boolean isNamed(ResourceType type, String word) {
    String kind = type.kind().toLowerCase(Locale.ROOT);
    String suffix = type.group().isEmpty() ? "" : "." + type.group();
    return word.equals(kind)
        || word.equals(type.plural())
        || word.equals(kind + suffix)
        || word.equals(type.plural() + suffix);
  }

  private boolean holds(ResourceType type, ObjectKey key, String condition) {
    Optional<ObjectNode> object = client.find(type, key);
    if (condition.equals("exists")) {
      return object.isPresent();
    }
    if (condition.equals("gone")) {
      return object.isEmpty();
    }
    int equals = condition.indexOf('=');
    String wanted = equals < 0 ? "True" : condition.substring(equals + 1);
    String name = equals < 0 ? condition : condition.substring(0, equals);
    return object.stream()
        .flatMap(found -> Json.at(found, "status", "conditions").valueStream())
        .anyMatch(
            each ->
                Json.textOr(each, "", "type").equals(name)
                    && Json.textOr(each, "", "status").equals(wanted));
  }

  private boolean await(BooleanSupplier what, Duration limit) {
    long end = ticker.nanos() + limit.toNanos();
    while (!what.getAsBoolean()) {
      if (ticker.nanos() - end >= 0) {
        return false;
      }
      try {
        pacer.pause(CHECK);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting", e);
      }
    }
    return true;
  }

  /// The objects of a namespace with their state, then its last events.
  String report(String namespace) {
    StringBuilder text = new StringBuilder("namespace ").append(namespace).append('\n');
    served = Discovery.of(client);
    for (Discovery.ServedResource each : served.resources()) {
      ResourceType type = each.type();
      if (type.namespaced() && each.can("list", "get") && !type.kind().equals("Event")) {
        client
            .list(type, namespace, ListOptions.ALL)
            .items()
            .forEach(object -> line(text, type.kind(), object));
      }
    }
    client.list(ResourceType.EVENTS, namespace, ListOptions.ALL).items().stream()
        .sorted(Comparator.comparing(EmbeddedObjects::time))
        .limit(EVENTS_SHOWN)
        .forEach(event -> event(text, event));
    return text.toString();
  }

  private static void line(StringBuilder text, String kind, ObjectNode object) {
    text.append("  ").append(kind).append('/').append(Json.textOr(object, "", "metadata", "name"));
    String phase = Json.textOr(object, "", "status", "phase");
    if (!phase.isEmpty()) {
      text.append("  ").append(phase);
    }
    for (JsonNode condition : Json.at(object, "status", "conditions")) {
      text.append("  ")
          .append(Json.textOr(condition, "", "type"))
          .append('=')
          .append(Json.textOr(condition, "", "status"));
      String reason = Json.textOr(condition, "", "reason");
      if (!reason.isEmpty()) {
        text.append('(').append(reason).append(')');
      }
    }
    text.append('\n');
  }

  private static String time(JsonNode event) {
    String last = Json.textOr(event, "", "lastTimestamp");
    return last.isEmpty() ? Json.textOr(event, "", "eventTime") : last;
  }

  private static void event(StringBuilder text, JsonNode event) {
    text.append("  event ")
        .append(time(event))
        .append(' ')
        .append(Json.textOr(event, "", "type"))
        .append(' ')
        .append(Json.textOr(event, "", "reason"))
        .append(' ')
        .append(Json.textOr(event, "", "involvedObject", "kind"))
        .append('/')
        .append(Json.textOr(event, "", "involvedObject", "name"))
        .append(": ")
        .append(Json.textOr(event, "", "message").strip())
        .append('\n');
  }

  @Override
  public void close() {
    client.close();
  }
}
