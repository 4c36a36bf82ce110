package io.fairlead.proxy.tracking;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1Service;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePort;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.core.TrafficPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonParser;

/// Makes the proxy's ports of a Service, by family. Addresses become canonical here: leading zeros
/// go, and so do bits behind a prefix.
final class ServiceReader {
  private static final Logger log = LoggerFactory.getLogger(ServiceReader.class);

  private static final FieldMask FIELDS =
      FieldMask.of(FieldMask.Part.LOAD_BALANCER).annotations(ServicePort.OPTION_PREFIX);

  private final V1Service service;
  private final V1Service.Spec spec;
  private final List<String> loadBalancerIps = new ArrayList<>();

  ServiceReader(JsonParser in) {
    service = V1Service.read(in, FIELDS);
    spec = service.spec();
    for (V1Service.Ingress ingress : service.ingress()) {
      // With mode Proxy the load balancer itself ends connections: packets must go out to it.
      if (ingress.ipMode().equals("VIP")) {
        loadBalancerIps.add(ingress.ip());
      }
    }
  }

  ObjectMeta metadata() {
    return service.metadata();
  }

  /// The ports in one family; none where the Service has no address.
  List<ServicePort> ports(ObjectKey key, IpAddress.Family family) {
    IpAddress address = clusterIp(family);
    if (address == null || service.isExternalName()) {
      return List.of();
    }
    List<IpAddress> external = addresses(key, spec.externalIps(), family);
    List<IpAddress> loadBalancer = addresses(key, loadBalancerIps, family);
    List<Cidr> ranges = ranges(key, family);
    int sticky = spec.sessionAffinity().equals("ClientIP") ? spec.sessionAffinitySeconds() : 0;
    int healthCheck = healthCheckNodePort(key);
    Map<String, String> options = options();
    List<ServicePort> read = new ArrayList<>(spec.ports().size());
    for (V1Service.Port port : spec.ports()) {
      read.add(
          new ServicePort(
              new ServicePortName(key, port.name(), Protocol.of(port.protocol())),
              address,
              port.port(),
              port.nodePort(),
              external,
              loadBalancer,
              ranges,
              policy(spec.internalTrafficPolicy().equals("Local")),
              policy(externalLocal()),
              sticky,
              healthCheck,
              options));
    }
    return List.copyOf(read);
  }

  private Map<String, String> options() {
    Map<String, String> options = new TreeMap<>();
    for (Map.Entry<String, String> each : service.annotations().entrySet()) {
      options.put(each.getKey().substring(ServicePort.OPTION_PREFIX.length()), each.getValue());
    }
    return options;
  }

  /// The cluster IP of a family; null when the Service has none there.
  private @Nullable IpAddress clusterIp(IpAddress.Family family) {
    String clusterIp = spec.clusterIp();
    List<String> families = spec.ipFamilies();
    if (clusterIp.isEmpty() || clusterIp.equals("None")) {
      return null;
    }
    if (families.isEmpty()) {
      return ofFamily(clusterIp, family);
    }
    int at = families.indexOf(family.toString());
    if (at < 0) {
      return null;
    }
    String only = at == 0 ? clusterIp : "";
    List<String> all = spec.clusterIps();
    return ofFamily(at < all.size() ? all.get(at) : only, family);
  }

  private static @Nullable IpAddress ofFamily(String text, IpAddress.Family family) {
    IpAddress address = IpAddress.parseLenientOrNull(text.strip());
    return address != null && address.family() == family ? address : null;
  }

  private static List<IpAddress> addresses(
      ObjectKey key, List<String> texts, IpAddress.Family family) {
    List<IpAddress> addresses = new ArrayList<>(texts.size());
    for (String text : texts) {
      if (text.isBlank()) {
        continue;
      }
      IpAddress address = IpAddress.parseLenientOrNull(text.strip());
      if (address == null) {
        log.atWarn()
            .addKeyValue("service", key)
            .addKeyValue("address", text)
            .log("not an IP address, ignored");
      } else if (address.family() == family && !addresses.contains(address)) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  /// The ranges of a family; empty, that is everybody, when one of them holds every address.
  private List<Cidr> ranges(ObjectKey key, IpAddress.Family family) {
    List<String> texts = spec.loadBalancerSourceRanges();
    List<Cidr> ranges = new ArrayList<>(texts.size());
    for (String text : texts) {
      Cidr range = Cidr.parseLenientOrNull(text.strip());
      if (range == null) {
        log.atWarn()
            .addKeyValue("service", key)
            .addKeyValue("range", text)
            .log("not a CIDR, ignored");
      } else if (range.family() == family) {
        if (range.prefixLength() == 0) {
          return List.of();
        }
        ranges.add(range.masked());
      }
    }
    return ranges;
  }

  private boolean externalLocal() {
    if (!spec.externalTrafficPolicy().equals("Local")) {
      return false;
    }
    return switch (spec.type()) {
      case "LoadBalancer", "NodePort" -> true;
      case "ClusterIP", "" -> !spec.externalIps().isEmpty();
      default -> false;
    };
  }

  private static TrafficPolicy policy(boolean local) {
    return local ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER;
  }

  private int healthCheckNodePort(ObjectKey key) {
    if (!externalLocal() || !spec.type().equals("LoadBalancer")) {
      return 0;
    }
    if (spec.healthCheckNodePort() == 0) {
      log.atError().addKeyValue("service", key).log("has no healthCheckNodePort");
    }
    return spec.healthCheckNodePort();
  }
}
