package io.fairlead.proxy.tracking;

import io.fairlead.api.json.Tokens;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
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

/// One Service while it is read; then its ports in a family. Addresses become canonical here:
/// leading zeros go, and so do bits behind a prefix.
final class ServiceReader {
  private static final Logger log = LoggerFactory.getLogger(ServiceReader.class);
  private static final int DEFAULT_STICKY_SECONDS = 10800;

  private final Slim metadata = new Slim(mark -> mark.startsWith(ServicePort.OPTION_PREFIX));
  private final List<String> clusterIps = new ArrayList<>();
  private final List<String> families = new ArrayList<>();
  private final List<String> externalIps = new ArrayList<>();
  private final List<String> loadBalancerIps = new ArrayList<>();
  private final List<String> sourceRanges = new ArrayList<>();
  private final List<Port> ports = new ArrayList<>();
  private String type = "";
  private String clusterIp = "";
  private String internalPolicy = "";
  private String externalPolicy = "";
  private String affinity = "";
  private int stickySeconds = DEFAULT_STICKY_SECONDS;
  private int healthCheckNodePort;

  private static final class Port {
    private String name = "";
    private String protocol = "TCP";
    private int port;
    private int nodePort;
  }

  void read(JsonParser in) {
    for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
      switch (it) {
        case "metadata" -> metadata.read(in);
        case "spec" -> spec(in);
        case "status" -> status(in);
        default -> {}
      }
    }
  }

  private void spec(JsonParser in) {
    for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
      spec(in, it);
    }
  }

  private void spec(JsonParser in, String member) {
    switch (member) {
      case "type" -> type = Tokens.textOr(in, "");
      case "clusterIP" -> clusterIp = Tokens.textOr(in, "");
      case "clusterIPs" -> texts(in, clusterIps);
      case "ipFamilies" -> texts(in, families);
      case "externalIPs" -> texts(in, externalIps);
      case "loadBalancerSourceRanges" -> texts(in, sourceRanges);
      case "internalTrafficPolicy" -> internalPolicy = Tokens.textOr(in, "");
      case "externalTrafficPolicy" -> externalPolicy = Tokens.textOr(in, "");
      case "sessionAffinity" -> affinity = Tokens.textOr(in, "");
      case "sessionAffinityConfig" -> sticky(in);
      case "healthCheckNodePort" -> healthCheckNodePort = Tokens.integerOr(in, 0);
      case "ports" -> ports(in);
      default -> {}
    }
  }

  private static void texts(JsonParser in, List<String> into) {
    for (boolean is = Tokens.firstItem(in); is; is = Tokens.nextItem(in)) {
      into.add(Tokens.textOr(in, ""));
    }
  }

  private void sticky(JsonParser in) {
    for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
      if (it.equals("clientIP")) {
        stickySeconds = clientIp(in);
      }
    }
  }

  private static int clientIp(JsonParser in) {
    int seconds = DEFAULT_STICKY_SECONDS;
    for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
      if (it.equals("timeoutSeconds")) {
        seconds = Tokens.integerOr(in, DEFAULT_STICKY_SECONDS);
      }
    }
    return seconds;
  }

  private void ports(JsonParser in) {
    for (boolean is = Tokens.firstItem(in); is; is = Tokens.nextItem(in)) {
      Port port = new Port();
      for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
        switch (it) {
          case "name" -> port.name = Tokens.textOr(in, "").intern();
          case "protocol" -> port.protocol = Tokens.textOr(in, "TCP");
          case "port" -> port.port = Tokens.integerOr(in, 0);
          case "nodePort" -> port.nodePort = Tokens.integerOr(in, 0);
          default -> {}
        }
      }
      ports.add(port);
    }
  }

  private void status(JsonParser in) {
    for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
      if (it.equals("loadBalancer")) {
        loadBalancer(in);
      }
    }
  }

  private void loadBalancer(JsonParser in) {
    for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
      if (it.equals("ingress")) {
        for (boolean is = Tokens.firstItem(in); is; is = Tokens.nextItem(in)) {
          ingress(in);
        }
      }
    }
  }

  private void ingress(JsonParser in) {
    String ip = "";
    String ipMode = "VIP";
    for (String it = Tokens.firstMember(in); it != null; it = Tokens.nextMember(in)) {
      switch (it) {
        case "ip" -> ip = Tokens.textOr(in, "");
        case "ipMode" -> ipMode = Tokens.textOr(in, "");
        default -> {}
      }
    }
    // With mode Proxy the load balancer itself ends connections: packets must go out to it.
    if (ipMode.equals("VIP")) {
      loadBalancerIps.add(ip);
    }
  }

  ObjectMeta metadata() {
    return metadata.metadata();
  }

  /// The ports in one family; none where the Service has no address.
  List<ServicePort> ports(ObjectKey key, IpAddress.Family family) {
    IpAddress address = clusterIp(family);
    if (address == null || type.equals("ExternalName")) {
      return List.of();
    }
    List<IpAddress> external = addresses(key, externalIps, family);
    List<IpAddress> loadBalancer = addresses(key, loadBalancerIps, family);
    List<Cidr> ranges = ranges(key, family);
    int sticky = affinity.equals("ClientIP") ? stickySeconds : 0;
    int healthCheck = healthCheckNodePort(key);
    Map<String, String> options = options();
    List<ServicePort> read = new ArrayList<>(ports.size());
    for (Port port : ports) {
      read.add(
          new ServicePort(
              new ServicePortName(key, port.name, Protocol.of(port.protocol)),
              address,
              port.port,
              port.nodePort,
              external,
              loadBalancer,
              ranges,
              policy(internalPolicy.equals("Local")),
              policy(externalLocal()),
              sticky,
              healthCheck,
              options));
    }
    return List.copyOf(read);
  }

  private Map<String, String> options() {
    Map<String, String> options = new TreeMap<>();
    for (Map.Entry<String, String> each : metadata.annotations().entrySet()) {
      options.put(each.getKey().substring(ServicePort.OPTION_PREFIX.length()), each.getValue());
    }
    return options;
  }

  /// The cluster IP of a family; null when the Service has none there.
  private @Nullable IpAddress clusterIp(IpAddress.Family family) {
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
    return ofFamily(at < clusterIps.size() ? clusterIps.get(at) : only, family);
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
    List<Cidr> ranges = new ArrayList<>(sourceRanges.size());
    for (String text : sourceRanges) {
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
    if (!externalPolicy.equals("Local")) {
      return false;
    }
    return switch (type) {
      case "LoadBalancer", "NodePort" -> true;
      case "ClusterIP", "" -> !externalIps.isEmpty();
      default -> false;
    };
  }

  private static TrafficPolicy policy(boolean local) {
    return local ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER;
  }

  private int healthCheckNodePort(ObjectKey key) {
    if (!externalLocal() || !type.equals("LoadBalancer")) {
      return 0;
    }
    if (healthCheckNodePort == 0) {
      log.atError().addKeyValue("service", key).log("has no healthCheckNodePort");
    }
    return healthCheckNodePort;
  }
}
