package io.fairlead.controller.loadbalancer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.RawObject;
import io.fairlead.client.ResourceType;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1Condition;
import io.fairlead.client.objects.V1Service;
import io.fairlead.controller.runtime.InformerKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// A Service, as far as its load balancer addresses depend on it. Of a Service that is of another
/// type and was never served only its name and version are kept. Immutable.
///
/// @param created when it was made, as text that sorts by time
/// @param balanced it is of type LoadBalancer
/// @param balancerClass empty when any balancer may serve it
/// @param families in the order it wants them
/// @param familyPolicy `SingleStack`, `PreferDualStack` or `RequireDualStack`
/// @param local it keeps the addresses of clients: `externalTrafficPolicy` is `Local`
/// @param ingress what its status says now
record BalancedService(
    ObjectMeta metadata,
    String created,
    boolean balanced,
    String balancerClass,
    String loadBalancerIp,
    List<Family> families,
    String familyPolicy,
    boolean local,
    Map<String, String> selector,
    Set<ServicePort> ports,
    Map<String, String> annotations,
    List<V1Service.Ingress> ingress,
    List<V1Condition> conditions)
    implements HasMetadata, Comparable<BalancedService> {
  /// The finalizer that all balancers share.
  static final String FINALIZER = "service.kubernetes.io/load-balancer-cleanup";

  /// Which pools its addresses are from; also says that we have served it.
  static final String ALLOCATED_FROM = "fairlead.dev/allocated-from";

  /// The condition that says whether its address works.
  static final String READY = "fairlead.dev/LoadBalancerReady";

  static final InformerKind<BalancedService> KIND =
      InformerKind.reading(ResourceType.SERVICES, BalancedService::read);

  private static final FieldMask FIELDS =
      FieldMask.of(
              FieldMask.Part.IDENTITY,
              FieldMask.Part.OWNERS,
              FieldMask.Part.SELECTOR,
              FieldMask.Part.LOAD_BALANCER,
              FieldMask.Part.CONDITIONS)
          .allLabels()
          .annotations(
              "fairlead.dev/",
              "metallb.io/",
              "metallb.universe.tf/",
              "kube-vip.io/",
              "lbipam.cilium.io/");

  /// A port that only one of the Services on an address may have.
  record ServicePort(String protocol, int port) {
    @Override
    public String toString() {
      return port + "/" + protocol;
    }
  }

  BalancedService {
    families = List.copyOf(families);
    ingress = List.copyOf(ingress);
    conditions = List.copyOf(conditions);
  }

  static BalancedService of(ObjectNode object) {
    return RawObject.of(object).read(BalancedService::read);
  }

  private static BalancedService read(JsonParser in) {
    V1Service service = V1Service.read(in, FIELDS);
    V1Service.Spec spec = service.spec();
    boolean balanced = spec.type().equals("LoadBalancer");
    if (!balanced && !service.annotations().containsKey(ALLOCATED_FROM)) {
      return new BalancedService(
          ObjectMeta.of(service.metadata().key(), service.metadata().resourceVersion()),
          "",
          false,
          "",
          "",
          List.of(),
          "",
          false,
          Map.of(),
          Set.of(),
          Map.of(),
          List.of(),
          List.of());
    }
    Set<ServicePort> ports = new LinkedHashSet<>();
    spec.ports().forEach(port -> ports.add(new ServicePort(port.protocol(), port.port())));
    return new BalancedService(
        service.metadata(),
        service.creationTimestamp(),
        balanced,
        spec.loadBalancerClass(),
        spec.loadBalancerIp(),
        families(spec),
        spec.ipFamilyPolicy(),
        spec.externalTrafficPolicy().equals("Local"),
        spec.selector(),
        ports,
        new LinkedHashMap<>(service.annotations()),
        service.ingress(),
        service.conditions());
  }

  /// As written; in objects without them, that of its cluster IP.
  private static List<Family> families(V1Service.Spec spec) {
    List<Family> families = new ArrayList<>(2);
    for (String family : spec.ipFamilies()) {
      families.add(family.equals("IPv6") ? Family.IPV6 : Family.IPV4);
    }
    if (families.isEmpty()) {
      IpAddress address = IpAddress.parseOrNull(spec.clusterIp());
      families.add(address == null ? Family.IPV4 : address.family());
    }
    return families;
  }

  ObjectKey key() {
    return metadata.key();
  }

  ObjectRef reference() {
    return new ObjectRef(ResourceType.SERVICES, key(), metadata.uid());
  }

  /// Whether this balancer is to serve it.
  boolean wants(String ownClass, boolean isDefault) {
    return balanced && (balancerClass.isEmpty() ? isDefault : balancerClass.equals(ownClass));
  }

  boolean hasFinalizer() {
    return metadata.finalizers().contains(FINALIZER);
  }

  /// The pools it was served from; empty when it never was.
  String allocatedFrom() {
    return annotations.getOrDefault(ALLOCATED_FROM, "");
  }

  /// The first of these annotations that is there.
  String annotation(String... keys) {
    for (String key : keys) {
      String value = annotations.get(key);
      if (value != null && !value.isBlank()) {
        return value.strip();
      }
    }
    return "";
  }

  /// The addresses of its status that can be read.
  List<IpAddress> ingressAddresses() {
    List<IpAddress> addresses = new ArrayList<>(ingress.size());
    for (V1Service.Ingress one : ingress) {
      IpAddress address = IpAddress.parseOrNull(one.ip());
      if (address != null) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  /// Older ones first; of one second by uid.
  @Override
  public int compareTo(BalancedService other) {
    int byTime = created.compareTo(other.created);
    return byTime != 0 ? byTime : metadata.uid().compareTo(other.metadata.uid());
  }
}
