package io.fairlead.client.objects;

import io.fairlead.api.json.JsonTokenReader;
import io.fairlead.client.objects.FieldMask.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/// Reads one Service from its tokens.
final class V1ServiceReader {
  private final FieldMask mask;
  private final MetadataReader metadata;
  private List<V1Service.Ingress> ingress = List.of();
  private List<V1Condition> conditions = List.of();
  private List<String> clusterIps = List.of();
  private List<String> families = List.of();
  private List<String> externalIps = List.of();
  private List<String> sourceRanges = List.of();
  private List<V1Service.Port> ports = List.of();
  private Map<String, String> selector = Map.of();
  private String type = "";
  private String clusterIp = "";
  private String familyPolicy = "";
  private String loadBalancerIp = "";
  private String loadBalancerClass = "";
  private String externalName = "";
  private String internalPolicy = "";
  private String externalPolicy = "";
  private String affinity = "";
  private String distribution = "";
  private int affinitySeconds = V1Service.DEFAULT_AFFINITY_SECONDS;
  private int healthCheckNodePort;
  private boolean publishNotReady;

  V1ServiceReader(FieldMask mask) {
    this.mask = mask;
    this.metadata = new MetadataReader(mask);
  }

  V1Service read(JsonParser in) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "metadata" -> metadata.read(in);
        case "spec" -> spec(in);
        case "status" -> status(in);
        default -> {}
      }
    }
    return new V1Service(
        metadata.metadata(),
        metadata.annotations(),
        metadata.created(),
        new V1Service.Spec(
            type,
            clusterIp,
            clusterIps,
            families,
            familyPolicy,
            selector,
            ports,
            externalName,
            externalIps,
            loadBalancerIp,
            loadBalancerClass,
            sourceRanges,
            internalPolicy,
            externalPolicy,
            affinity,
            affinitySeconds,
            healthCheckNodePort,
            publishNotReady,
            distribution),
        ingress,
        conditions);
  }

  private void spec(JsonParser in) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      spec(in, it);
    }
  }

  private void spec(JsonParser in, String member) {
    switch (member) {
      case "type" -> type = JsonTokenReader.textOr(in, "");
      case "clusterIP" -> clusterIp = JsonTokenReader.textOr(in, "");
      case "clusterIPs" -> clusterIps = JsonTokenReader.texts(in);
      case "ipFamilies" -> families = JsonTokenReader.texts(in);
      case "ipFamilyPolicy" -> familyPolicy = JsonTokenReader.textOr(in, "").intern();
      case "loadBalancerIP" -> loadBalancerIp = JsonTokenReader.textOr(in, "");
      case "loadBalancerClass" -> loadBalancerClass = JsonTokenReader.textOr(in, "").intern();
      case "ports" -> ports = ports(in);
      case "selector" -> {
        if (mask.has(Part.SELECTOR)) {
          selector = MetadataReader.texts(in);
        }
      }
      case "externalName" -> externalName = JsonTokenReader.textOr(in, "");
      case "externalIPs" -> externalIps = JsonTokenReader.texts(in);
      case "loadBalancerSourceRanges" -> sourceRanges = JsonTokenReader.texts(in);
      case "internalTrafficPolicy" -> internalPolicy = JsonTokenReader.textOr(in, "");
      case "externalTrafficPolicy" -> externalPolicy = JsonTokenReader.textOr(in, "");
      case "sessionAffinity" -> affinity = JsonTokenReader.textOr(in, "");
      case "sessionAffinityConfig" -> affinityConfig(in);
      case "healthCheckNodePort" -> healthCheckNodePort = JsonTokenReader.integerOr(in, 0);
      case "publishNotReadyAddresses" -> publishNotReady = JsonTokenReader.booleanOr(in, false);
      case "trafficDistribution" -> distribution = JsonTokenReader.textOr(in, "").intern();
      default -> {}
    }
  }

  private void affinityConfig(JsonParser in) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      if (it.equals("clientIP")) {
        clientIp(in);
      }
    }
  }

  private void clientIp(JsonParser in) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      if (it.equals("timeoutSeconds")) {
        affinitySeconds = JsonTokenReader.integerOr(in, V1Service.DEFAULT_AFFINITY_SECONDS);
      }
    }
  }

  private static List<V1Service.Port> ports(JsonParser in) {
    List<V1Service.Port> ports = new ArrayList<>(1);
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      ports.add(port(in));
    }
    return ports;
  }

  private static V1Service.Port port(JsonParser in) {
    String name = "";
    String protocol = "TCP";
    int port = 0;
    int nodePort = 0;
    String targetName = null;
    int target = 0;
    String appProtocol = null;
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "name" -> name = JsonTokenReader.textOr(in, "").intern();
        case "protocol" -> protocol = protocol(in);
        case "port" -> port = JsonTokenReader.integerOr(in, 0);
        case "nodePort" -> nodePort = JsonTokenReader.integerOr(in, 0);
        case "targetPort" -> {
          targetName = JsonTokenReader.text(in);
          target = JsonTokenReader.integerOr(in, 0);
        }
        case "appProtocol" -> appProtocol = interned(JsonTokenReader.text(in));
        default -> {}
      }
    }
    return new V1Service.Port(
        name, protocol, port, nodePort, interned(targetName), target, appProtocol);
  }

  /// The protocol of a port; the ones there are, are shared without asking the table of all texts.
  static String protocol(JsonParser in) {
    String text = JsonTokenReader.textOr(in, "TCP");
    return switch (text) {
      case "TCP" -> "TCP";
      case "UDP" -> "UDP";
      case "SCTP" -> "SCTP";
      default -> text;
    };
  }

  private static @Nullable String interned(@Nullable String text) {
    return text == null ? null : text.intern();
  }

  private void status(JsonParser in) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      if (it.equals("loadBalancer") && mask.has(Part.LOAD_BALANCER)) {
        loadBalancer(in);
      } else if (it.equals("conditions") && mask.has(Part.CONDITIONS)) {
        conditions = V1Condition.list(in);
      }
    }
  }

  private void loadBalancer(JsonParser in) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      if (it.equals("ingress")) {
        ingress = new ArrayList<>(1);
        for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
          ingress.add(ingress(in));
        }
      }
    }
  }

  private static V1Service.Ingress ingress(JsonParser in) {
    String ip = "";
    String hostname = "";
    String ipMode = "VIP";
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "ip" -> ip = JsonTokenReader.textOr(in, "");
        case "hostname" -> hostname = JsonTokenReader.textOr(in, "");
        case "ipMode" -> ipMode = JsonTokenReader.textOr(in, "");
        default -> {}
      }
    }
    return new V1Service.Ingress(ip, hostname, ipMode);
  }
}
