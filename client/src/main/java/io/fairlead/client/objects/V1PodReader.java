package io.fairlead.client.objects;

import io.fairlead.api.json.JsonTokenReader;
import io.fairlead.client.objects.FieldMask.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// Reads one Pod from its tokens.
final class V1PodReader {
  private final MetadataReader metadata;
  private final boolean readsContainers;
  private final boolean readsScheduling;
  private final V1PodStatusReader status;
  private List<V1Pod.Container> containers = List.of();
  private List<V1Pod.Container> initContainers = List.of();
  private List<String> readinessGates = List.of();
  private List<V1Pod.Toleration> tolerations = List.of();
  private Map<String, String> nodeSelector = Map.of();
  private Map<String, String> overhead = Map.of();
  private JsonNode affinity = MissingNode.getInstance();
  private JsonNode spread = MissingNode.getInstance();
  private String nodeName = "";
  private String hostname = "";
  private String subdomain = "";
  private String schedulerName = "";
  private String preemptionPolicy = "";
  private boolean hostNetwork;
  private boolean gated;
  private int priority;

  V1PodReader(FieldMask mask) {
    this.metadata = new MetadataReader(mask);
    this.readsContainers = mask.has(Part.CONTAINERS);
    this.readsScheduling = mask.has(Part.SCHEDULING);
    this.status = new V1PodStatusReader(mask);
  }

  V1Pod read(JsonParser in) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "metadata" -> metadata.read(in);
        case "spec" -> spec(in);
        case "status" -> status.read(in);
        default -> {}
      }
    }
    return new V1Pod(
        metadata.metadata(),
        metadata.annotations(),
        metadata.created(),
        new V1Pod.Spec(
            nodeName,
            hostname,
            subdomain,
            hostNetwork,
            containers,
            initContainers,
            readinessGates,
            tolerations,
            new V1Pod.Scheduling(
                schedulerName,
                gated,
                priority,
                preemptionPolicy,
                nodeSelector,
                affinity,
                spread,
                overhead)),
        status.status());
  }

  private void spec(JsonParser in) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "nodeName" -> nodeName = JsonTokenReader.textOr(in, "").intern();
        case "hostname" -> hostname = JsonTokenReader.textOr(in, "").intern();
        case "subdomain" -> subdomain = JsonTokenReader.textOr(in, "").intern();
        case "hostNetwork" -> hostNetwork = JsonTokenReader.booleanOr(in, false);
        default -> {
          if (readsContainers) {
            containers(in, it);
          }
          if (readsScheduling) {
            scheduling(in, it);
          }
        }
      }
    }
  }

  private void containers(JsonParser in, String member) {
    switch (member) {
      case "containers" -> containers = V1ContainerReader.list(in);
      case "initContainers" -> initContainers = V1ContainerReader.list(in);
      case "readinessGates" -> readinessGates = readinessGates(in);
      default -> {}
    }
  }

  private void scheduling(JsonParser in, String member) {
    switch (member) {
      case "tolerations" -> tolerations = tolerations(in);
      case "schedulerName" -> schedulerName = JsonTokenReader.textOr(in, "").intern();
      case "schedulingGates" -> gated = JsonTokenReader.firstItem(in) && skipRest(in);
      case "priority" -> priority = JsonTokenReader.integerOr(in, 0);
      case "preemptionPolicy" -> preemptionPolicy = JsonTokenReader.textOr(in, "").intern();
      case "nodeSelector" -> nodeSelector = MetadataReader.texts(in);
      case "affinity" -> affinity = in.readValueAsTree();
      case "topologySpreadConstraints" -> spread = in.readValueAsTree();
      case "overhead" -> overhead = V1ContainerReader.amounts(in);
      default -> {}
    }
  }

  private static boolean skipRest(JsonParser in) {
    boolean more = true;
    while (more) {
      more = JsonTokenReader.nextItem(in);
    }
    return true;
  }

  private static List<String> readinessGates(JsonParser in) {
    List<String> gates = new ArrayList<>(1);
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      String type = "";
      for (String it = JsonTokenReader.firstMember(in);
          it != null;
          it = JsonTokenReader.nextMember(in)) {
        if (it.equals("conditionType")) {
          type = JsonTokenReader.textOr(in, "").intern();
        }
      }
      gates.add(type);
    }
    return gates;
  }

  private static List<V1Pod.Toleration> tolerations(JsonParser in) {
    List<V1Pod.Toleration> tolerations = new ArrayList<>();
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      String key = "";
      String operator = "Equal";
      String value = "";
      String effect = "";
      Long seconds = null;
      for (String it = JsonTokenReader.firstMember(in);
          it != null;
          it = JsonTokenReader.nextMember(in)) {
        switch (it) {
          case "key" -> key = JsonTokenReader.textOr(in, "").intern();
          case "operator" -> operator = JsonTokenReader.textOr(in, "Equal").intern();
          case "value" -> value = JsonTokenReader.textOr(in, "").intern();
          case "effect" -> effect = JsonTokenReader.textOr(in, "").intern();
          case "tolerationSeconds" -> seconds = JsonTokenReader.longOrNull(in);
          default -> {}
        }
      }
      tolerations.add(new V1Pod.Toleration(key, operator, value, effect, seconds));
    }
    return tolerations;
  }
}
