package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Cuts objects of the API down to facts. What many objects have in common is kept once: port lists
/// and names of zones. Safe for any thread.
final class FactReader {
  static final String SERVICE_LABEL = "kubernetes.io/service-name";
  private static final String TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time";
  private static final int LONGEST_POD_NAME = 63;
  private static final int REMEMBERED = 10_000;

  // Without ports an address still resolves, also at `_._`, but there is no SRV for it.
  private static final List<PortFacts> NO_PORT = List.of(new PortFacts("", "", PortFacts.NONE));

  private final DataOptions options;
  // Guarded by itself.
  private final Map<Object, Object> known = new HashMap<>();

  FactReader(DataOptions options) {
    this.options = options;
  }

  NamespaceFacts namespace(JsonNode object) {
    return new NamespaceFacts(key(object));
  }

  ServiceFacts service(JsonNode object) {
    JsonNode spec = object.path("spec");
    if (Json.textOr(spec, "", "type").equals("ExternalName")) {
      return new ServiceFacts(
          key(object),
          ServiceFacts.Kind.EXTERNAL_NAME,
          List.of(),
          List.of(),
          Json.textOr(spec, "", "externalName"),
          List.of());
    }
    List<String> texts = texts(spec.path("clusterIPs"));
    if (texts.isEmpty()) {
      texts = List.of(Json.textOr(spec, "", "clusterIP"));
    }
    boolean headless = texts.getFirst().equals("None");
    List<IpAddress> addresses = headless ? List.of() : addresses(texts);
    ServiceFacts.Kind kind =
        headless
            ? ServiceFacts.Kind.HEADLESS
            : addresses.isEmpty() ? ServiceFacts.Kind.PENDING : ServiceFacts.Kind.CLUSTER_IP;
    return new ServiceFacts(
        key(object), kind, addresses, ports(spec.path("ports")), "", external(object));
  }

  private List<IpAddress> external(JsonNode object) {
    if (!options.external()) {
      return List.of();
    }
    List<String> texts = new ArrayList<>(texts(Json.at(object, "spec", "externalIPs")));
    for (JsonNode ingress : Json.at(object, "status", "loadBalancer", "ingress")) {
      texts.add(Json.textOr(ingress, "", "ip"));
    }
    return addresses(texts);
  }

  SliceFacts slice(JsonNode object) {
    ObjectKey key = key(object);
    String service = Json.textOr(object, "", "metadata", "labels", SERVICE_LABEL);
    boolean ignored = Json.textOr(object, "", "addressType").equals("FQDN");
    List<EndpointFacts> endpoints = new ArrayList<>();
    if (!ignored) {
      for (JsonNode endpoint : object.path("endpoints")) {
        if (Json.at(endpoint, "conditions", "ready").asBoolean(true)) {
          add(endpoints, endpoint);
        }
      }
    }
    return new SliceFacts(
        key,
        new ObjectKey(key.namespace(), service),
        ports(object.path("ports")),
        endpoints,
        changedAt(object),
        ignored);
  }

  private void add(List<EndpointFacts> endpoints, JsonNode endpoint) {
    String name = name(endpoint);
    String zone = options.zones() ? intern(Json.textOr(endpoint, "", "zone")) : "";
    for (JsonNode address : endpoint.path("addresses")) {
      IpAddress parsed = IpAddress.parseLenientOrNull(address.asString(""));
      if (parsed != null) {
        endpoints.add(new EndpointFacts(parsed, name, zone));
      }
    }
  }

  private @Nullable String name(JsonNode endpoint) {
    String hostname = Json.textOr(endpoint, "", "hostname");
    if (!hostname.isEmpty()) {
      return hostname.toLowerCase(Locale.ROOT);
    }
    String pod = options.endpointPodNames() ? Json.textOr(endpoint, "", "targetRef", "name") : "";
    return pod.isEmpty() || pod.length() > LONGEST_POD_NAME ? null : pod.toLowerCase(Locale.ROOT);
  }

  private static long changedAt(JsonNode object) {
    String text = Json.textOr(object, "", "metadata", "annotations", TRIGGER);
    if (text.isEmpty()) {
      return 0;
    }
    try {
      return Instant.parse(text).toEpochMilli();
    } catch (DateTimeException _) {
      return 0;
    }
  }

  PodFacts pod(JsonNode object) {
    List<String> texts = new ArrayList<>();
    for (JsonNode each : Json.at(object, "status", "podIPs")) {
      texts.add(Json.textOr(each, "", "ip"));
    }
    if (texts.isEmpty()) {
      texts.add(Json.textOr(object, "", "status", "podIP"));
    }
    boolean terminating = Json.text(object, "metadata", "deletionTimestamp") != null;
    return new PodFacts(key(object), addresses(texts), terminating);
  }

  private List<PortFacts> ports(JsonNode array) {
    List<PortFacts> ports = new ArrayList<>();
    for (JsonNode port : array) {
      ports.add(
          new PortFacts(
              Json.textOr(port, "", "name"),
              Json.textOr(port, "TCP", "protocol"),
              port.path("port").asInt(-1)));
    }
    return intern(ports.isEmpty() ? NO_PORT : List.copyOf(ports));
  }

  private static List<IpAddress> addresses(List<String> texts) {
    List<IpAddress> addresses = new ArrayList<>();
    for (String text : texts) {
      IpAddress address = IpAddress.parseLenientOrNull(text);
      if (address != null && !addresses.contains(address)) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.asString("")));
    return texts;
  }

  private ObjectKey key(JsonNode object) {
    ObjectKey key = ObjectKey.of(object);
    return new ObjectKey(intern(key.namespace()), key.name());
  }

  @SuppressWarnings("unchecked") // an equal key has the same type
  private <T> T intern(T value) {
    synchronized (known) {
      if (known.size() > REMEMBERED) {
        known.clear();
      }
      Object first = known.putIfAbsent(value, value);
      return first == null ? value : (T) first;
    }
  }
}
