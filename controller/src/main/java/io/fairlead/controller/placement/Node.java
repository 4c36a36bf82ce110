package io.fairlead.controller.placement;

import io.fairlead.api.json.Json;
import io.fairlead.api.quantity.Quantity;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A node, as far as pods are put on it or taken from it. Immutable.
///
/// @param allocatable what it has for pods, by resource: processors in thousandths, the rest whole
/// @param conditions type to status, `Ready` to `True`
/// @param heartbeat when the node last wrote its condition Ready, as it wrote it; empty when
///   somebody else has written it since
/// @param images sizes of those it holds, by each of their names
public record Node(
    ObjectMeta metadata,
    boolean unschedulable,
    List<Taint> taints,
    Map<String, Long> allocatable,
    Map<String, String> conditions,
    String heartbeat,
    Map<String, Long> images,
    List<String> podCidrs)
    implements HasMetadata {
  public static final String ZONE = "topology.kubernetes.io/zone";
  public static final String REGION = "topology.kubernetes.io/region";
  public static final String HOSTNAME = "kubernetes.io/hostname";

  /// The nodes of all who place pods.
  public static final InformerKind<Node> KIND = InformerKind.of(ResourceType.NODES, Node::of);

  public Node {
    taints = List.copyOf(taints);
    allocatable = Map.copyOf(allocatable);
    conditions = Map.copyOf(conditions);
    images = Map.copyOf(images);
    podCidrs = List.copyOf(podCidrs);
  }

  public static Node of(ObjectNode object) {
    JsonNode spec = object.path("spec");
    JsonNode status = object.path("status");
    Map<String, String> conditions = new LinkedHashMap<>();
    for (JsonNode condition : status.path("conditions")) {
      conditions.put(
          Json.textOr(condition, "", "type").intern(),
          Json.textOr(condition, "", "status").intern());
    }
    Map<String, Long> images = new LinkedHashMap<>();
    for (JsonNode image : status.path("images")) {
      long size = image.path("sizeBytes").asLong(0);
      image.path("names").forEach(name -> images.put(name.asString(""), size));
    }
    List<String> cidrs = new ArrayList<>();
    spec.path("podCIDRs").forEach(cidr -> cidrs.add(cidr.asString("")));
    return new Node(
        ObjectMeta.of(object),
        spec.path("unschedulable").asBoolean(false),
        Taint.of(spec.path("taints")),
        amounts(status.path("allocatable")),
        conditions,
        heartbeat(status),
        images,
        cidrs);
  }

  private static String heartbeat(JsonNode status) {
    for (JsonNode condition : status.path("conditions")) {
      if (Json.textOr(condition, "", "type").equals("Ready")) {
        boolean given = Json.textOr(condition, "", "reason").startsWith("NodeStatus");
        return given ? "" : Json.textOr(condition, "", "lastHeartbeatTime");
      }
    }
    return "";
  }

  public String name() {
    return metadata.name();
  }

  public boolean ready() {
    return conditions.getOrDefault("Ready", "").equals("True");
  }

  /// Where it stands, by region and zone.
  public String zone() {
    Map<String, String> labels = metadata.labels();
    return labels.getOrDefault(REGION, "") + "/" + labels.getOrDefault(ZONE, "");
  }

  /// Amounts by resource as an object gives them: `{"cpu": "500m", "memory": "1Gi"}`. What cannot
  /// be read counts as nothing.
  public static Map<String, Long> amounts(JsonNode list) {
    Map<String, Long> amounts = new LinkedHashMap<>();
    list.properties()
        .forEach(
            entry -> {
              Quantity amount = Quantity.parseOrNull(entry.getValue().asString(""));
              if (amount != null) {
                boolean cpu = entry.getKey().equals("cpu");
                amounts.put(entry.getKey().intern(), cpu ? amount.milliValue() : amount.value());
              }
            });
    return amounts;
  }
}
