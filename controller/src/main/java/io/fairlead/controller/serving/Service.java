package io.fairlead.controller.serving;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A Service, as far as its endpoints depend on it. Immutable.
///
/// @param created when it was made
/// @param externalName it is of that type: a name elsewhere, without endpoints of ours
/// @param selector labels a pod must have, empty when somebody else names the endpoints
/// @param clusterIp empty, `None` or an address
/// @param families as written in `spec.ipFamilies`, empty in old objects; see [#servedFamilies]
/// @param trafficDistribution empty when nothing is preferred
/// @param proportionalHints the annotation that asks for hints by the share of each zone is there
/// @param toldServing the status of its condition [#SERVING]; empty when it has none
public record Service(
    ObjectMeta metadata,
    Optional<Instant> created,
    boolean externalName,
    Map<String, String> selector,
    String clusterIp,
    List<Family> families,
    List<ServicePort> ports,
    boolean publishNotReadyAddresses,
    String trafficDistribution,
    boolean proportionalHints,
    String toldServing)
    implements HasMetadata {
  /// The condition that says whether any pod serves.
  public static final String SERVING = "fairlead.dev/Serving";

  private static final String NO_ADDRESS = "None";
  private static final String OLD_HINTS = "service.kubernetes.io/topology-aware-hints";
  private static final String HINTS = "service.kubernetes.io/topology-mode";

  public Service {
    selector = Map.copyOf(selector);
    families = List.copyOf(families);
    ports = List.copyOf(ports);
  }

  public static Service of(ObjectNode object) {
    JsonNode spec = object.path("spec");
    List<Family> families = new ArrayList<>();
    for (JsonNode family : spec.path("ipFamilies")) {
      families.add(family.asString("").equals("IPv6") ? Family.IPV6 : Family.IPV4);
    }
    List<ServicePort> ports = new ArrayList<>();
    spec.path("ports").forEach(port -> ports.add(ServicePort.of(port)));
    return new Service(
        Slim.metadata(object),
        Slim.time(object, "metadata", "creationTimestamp"),
        "ExternalName".equals(Json.text(spec, "type")),
        Slim.texts(spec.path("selector")),
        Json.textOr(spec, "", "clusterIP"),
        families,
        ports,
        spec.path("publishNotReadyAddresses").asBoolean(false),
        Slim.shared(spec, "trafficDistribution"),
        wantsProportionalHints(object.path("metadata").path("annotations")),
        Slim.shared(Holdup.condition(object.path("status"), SERVING), "status"));
  }

  private static boolean wantsProportionalHints(JsonNode annotations) {
    String mode = Json.textOr(annotations, Json.textOr(annotations, "", HINTS), OLD_HINTS);
    return mode.equals("Auto") || mode.equals("auto");
  }

  public ObjectKey key() {
    return metadata.key();
  }

  /// Whether its endpoints are the pods its selector picks. An empty selector is none.
  public boolean selectsPods() {
    return !externalName && !selector.isEmpty();
  }

  public boolean headless() {
    return clusterIp.isEmpty() || clusterIp.equals(NO_ADDRESS);
  }

  /// The families its endpoints are published in: those written, else that of its address, else
  /// both.
  public List<Family> servedFamilies() {
    if (!families.isEmpty()) {
      return families;
    }
    IpAddress address = IpAddress.parseOrNull(clusterIp);
    return address == null ? List.of(Family.IPV4, Family.IPV6) : List.of(address.family());
  }

  /// Whether a pod with these labels is picked.
  public boolean selects(Map<String, String> labels) {
    if (!selectsPods()) {
      return false;
    }
    for (Map.Entry<String, String> wanted : selector.entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    return true;
  }
}
