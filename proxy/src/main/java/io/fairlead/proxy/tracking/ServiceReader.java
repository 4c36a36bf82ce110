package io.fairlead.proxy.tracking;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
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
import tools.jackson.databind.JsonNode;

/// Reads the ports of a Service in one family. Addresses become canonical here: leading zeros go,
/// and so do bits behind a prefix.
final class ServiceReader {
  private static final Logger log = LoggerFactory.getLogger(ServiceReader.class);
  private static final int DEFAULT_STICKY_SECONDS = 10800;

  private ServiceReader() {}

  static List<ServicePort> read(JsonNode object, IpAddress.Family family) {
    JsonNode spec = object.path("spec");
    IpAddress clusterIp = clusterIp(spec, family);
    if (clusterIp == null || Json.textOr(spec, "", "type").equals("ExternalName")) {
      return List.of();
    }
    ObjectKey key = Slim.metadata(object).key();
    List<IpAddress> externalIps = addresses(key, spec.path("externalIPs"), family);
    List<IpAddress> loadBalancerIps =
        loadBalancerIps(key, object.path("status").path("loadBalancer").path("ingress"), family);
    List<Cidr> ranges = ranges(key, spec.path("loadBalancerSourceRanges"), family);
    boolean externalLocal = externalLocal(spec);
    Map<String, String> options = options(object.path("metadata").path("annotations"));
    List<ServicePort> ports = new ArrayList<>();
    for (JsonNode port : spec.path("ports")) {
      ports.add(
          new ServicePort(
              new ServicePortName(
                  key,
                  Json.textOr(port, "", "name").intern(),
                  Protocol.of(Json.textOr(port, "TCP", "protocol"))),
              clusterIp,
              port.path("port").asInt(0),
              port.path("nodePort").asInt(0),
              externalIps,
              loadBalancerIps,
              ranges,
              policy(Json.textOr(spec, "", "internalTrafficPolicy").equals("Local")),
              policy(externalLocal),
              stickySeconds(spec),
              healthCheckNodePort(key, spec, externalLocal),
              options));
    }
    return List.copyOf(ports);
  }

  private static Map<String, String> options(JsonNode annotations) {
    Map<String, String> options = new TreeMap<>();
    for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
      if (annotation.getKey().startsWith(ServicePort.OPTION_PREFIX)) {
        options.put(
            annotation.getKey().substring(ServicePort.OPTION_PREFIX.length()),
            annotation.getValue().asString(""));
      }
    }
    return options;
  }

  /// The cluster IP of a family; null when the Service has none there.
  private static @Nullable IpAddress clusterIp(JsonNode spec, IpAddress.Family family) {
    String first = Json.textOr(spec, "", "clusterIP");
    if (first.isEmpty() || first.equals("None")) {
      return null;
    }
    JsonNode families = spec.path("ipFamilies");
    if (families.isEmpty()) {
      return ofFamily(first, family);
    }
    for (int i = 0; i < families.size(); i++) {
      if (families.get(i).asString("").equals(family.toString())) {
        String text = spec.path("clusterIPs").path(i).asString(i == 0 ? first : "");
        return ofFamily(text, family);
      }
    }
    return null;
  }

  private static @Nullable IpAddress ofFamily(String text, IpAddress.Family family) {
    IpAddress address = IpAddress.parseLenientOrNull(text.strip());
    return address != null && address.family() == family ? address : null;
  }

  private static List<IpAddress> addresses(ObjectKey key, JsonNode list, IpAddress.Family family) {
    List<IpAddress> addresses = new ArrayList<>();
    for (JsonNode entry : list) {
      add(key, entry.asString(""), family, addresses);
    }
    return addresses;
  }

  private static List<IpAddress> loadBalancerIps(
      ObjectKey key, JsonNode ingress, IpAddress.Family family) {
    List<IpAddress> addresses = new ArrayList<>();
    for (JsonNode entry : ingress) {
      // With mode Proxy the load balancer itself ends connections: packets must go out to it.
      if (Json.textOr(entry, "VIP", "ipMode").equals("VIP")) {
        add(key, Json.textOr(entry, "", "ip"), family, addresses);
      }
    }
    return addresses;
  }

  private static void add(
      ObjectKey key, String text, IpAddress.Family family, List<IpAddress> addresses) {
    if (text.isBlank()) {
      return;
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

  /// The ranges of a family; empty, that is everybody, when one of them holds every address.
  private static List<Cidr> ranges(ObjectKey key, JsonNode list, IpAddress.Family family) {
    List<Cidr> ranges = new ArrayList<>();
    for (JsonNode entry : list) {
      Cidr range = Cidr.parseLenientOrNull(entry.asString("").strip());
      if (range == null) {
        log.atWarn()
            .addKeyValue("service", key)
            .addKeyValue("range", entry.asString(""))
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

  private static boolean externalLocal(JsonNode spec) {
    if (!Json.textOr(spec, "", "externalTrafficPolicy").equals("Local")) {
      return false;
    }
    return switch (Json.textOr(spec, "ClusterIP", "type")) {
      case "LoadBalancer", "NodePort" -> true;
      case "ClusterIP" -> !spec.path("externalIPs").isEmpty();
      default -> false;
    };
  }

  private static TrafficPolicy policy(boolean local) {
    return local ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER;
  }

  private static int stickySeconds(JsonNode spec) {
    return Json.textOr(spec, "", "sessionAffinity").equals("ClientIP")
        ? Json.at(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds")
            .asInt(DEFAULT_STICKY_SECONDS)
        : 0;
  }

  private static int healthCheckNodePort(ObjectKey key, JsonNode spec, boolean externalLocal) {
    if (!externalLocal || !Json.textOr(spec, "", "type").equals("LoadBalancer")) {
      return 0;
    }
    int port = spec.path("healthCheckNodePort").asInt(0);
    if (port == 0) {
      log.atError().addKeyValue("service", key).log("has no healthCheckNodePort");
    }
    return port;
  }
}
