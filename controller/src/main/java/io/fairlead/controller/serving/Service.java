package io.fairlead.controller.serving;

import io.fairlead.api.net.IpAddress;
import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.RawObject;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1Condition;
import io.fairlead.client.objects.V1Service;
import io.fairlead.client.objects.V1Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// A Service, as far as its endpoints depend on it. Immutable.
///
/// @param created when it was made
/// @param externalName it is of that type: a name elsewhere, without endpoints of ours
/// @param selector labels a pod must have, empty when its endpoints are written by others
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
    List<ServicePortSpec> ports,
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
  private static final FieldMask FIELDS =
      FieldMask.of(FieldMask.Part.IDENTITY, FieldMask.Part.SELECTOR, FieldMask.Part.CONDITIONS)
          .allLabels()
          .annotations(OLD_HINTS, HINTS);

  public Service {
    selector = Map.copyOf(selector);
    families = List.copyOf(families);
    ports = List.copyOf(ports);
  }

  public static Service of(ObjectNode object) {
    return RawObject.of(object).read(Service::read);
  }

  /// Reads one from its tokens.
  static Service read(JsonParser in) {
    V1Service service = V1Service.read(in, FIELDS);
    V1Service.Spec spec = service.spec();
    List<Family> families = new ArrayList<>(spec.ipFamilies().size());
    for (String family : spec.ipFamilies()) {
      families.add(family.equals("IPv6") ? Family.IPV6 : Family.IPV4);
    }
    List<ServicePortSpec> ports = new ArrayList<>(spec.ports().size());
    for (V1Service.Port port : spec.ports()) {
      ports.add(ServicePortSpec.of(port));
    }
    return new Service(
        service.metadata(),
        V1Times.parse(service.creationTimestamp()),
        service.isExternalName(),
        spec.selector(),
        spec.clusterIp(),
        families,
        ports,
        spec.publishNotReadyAddresses(),
        spec.trafficDistribution(),
        wantsProportionalHints(service.annotations()),
        V1Condition.find(service.conditions(), SERVING).map(V1Condition::status).orElse(""));
  }

  private static boolean wantsProportionalHints(Map<String, String> annotations) {
    String mode = annotations.getOrDefault(OLD_HINTS, annotations.getOrDefault(HINTS, ""));
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
