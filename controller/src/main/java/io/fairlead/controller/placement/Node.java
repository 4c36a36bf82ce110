package io.fairlead.controller.placement;

import io.fairlead.api.schema.Quantity;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.client.objects.V1Condition;
import io.fairlead.client.objects.V1Node;
import io.fairlead.controller.runtime.InformerKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A node, as far as pods are put on it or taken from it. Immutable.
///
/// @param allocatable what it has for pods, by resource: processors in thousandths, the rest whole
/// @param conditions type to status, `Ready` to `True`
/// @param heartbeat when the node last wrote its condition Ready, as it wrote it; empty when
///   another component has written it since
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
  public static final String ZONE = V1Node.ZONE_LABEL;
  public static final String REGION = "topology.kubernetes.io/region";
  public static final String HOSTNAME = "kubernetes.io/hostname";

  /// The nodes of all who place pods.
  public static final InformerKind<Node> KIND =
      InformerKind.decoding(ResourceType.NODES, object -> of(V1Node.of(object)));

  public Node {
    taints = List.copyOf(taints);
    allocatable = Map.copyOf(allocatable);
    conditions = Map.copyOf(conditions);
    images = Map.copyOf(images);
    podCidrs = List.copyOf(podCidrs);
  }

  public static Node of(V1Node node) {
    Map<String, String> conditions = new LinkedHashMap<>();
    for (V1Condition condition : node.conditions()) {
      conditions.put(condition.type(), condition.status());
    }
    Map<String, Long> images = new LinkedHashMap<>();
    for (V1Node.Image image : node.images()) {
      for (String name : image.names()) {
        images.put(name, image.sizeBytes());
      }
    }
    return new Node(
        node.metadata(),
        node.unschedulable(),
        Taint.of(node.taints()),
        amounts(node.allocatable()),
        conditions,
        node.condition("Ready").map(Node::heartbeat).orElse(""),
        images,
        node.podCidrs());
  }

  private static String heartbeat(V1Condition ready) {
    return ready.reason().startsWith("NodeStatus") ? "" : ready.lastHeartbeatTime();
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
  public static Map<String, Long> amounts(Map<String, String> texts) {
    Map<String, Long> amounts = new LinkedHashMap<>();
    texts.forEach(
        (resource, text) -> {
          Quantity amount = Quantity.parseOrNull(text);
          if (amount != null) {
            amounts.put(resource, resource.equals("cpu") ? amount.milliValue() : amount.value());
          }
        });
    return amounts;
  }
}
