package io.fairlead.client.objects;

import io.fairlead.api.json.JsonTokenReader;
import io.fairlead.client.objects.FieldMask.Part;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;

/// Reads the status of one Pod from its tokens.
final class V1PodStatusReader {
  private final boolean readsConditions;
  private final boolean readsContainers;
  private List<V1Condition> conditions = List.of();
  private List<V1Pod.ContainerStatus> containers = List.of();
  private List<V1Pod.ContainerStatus> initContainers = List.of();
  private List<String> podIps = List.of();
  private String podIp = "";
  private String phase = "";
  private String reason = "";
  private String nominatedNodeName = "";

  V1PodStatusReader(FieldMask mask) {
    this.readsConditions = mask.has(Part.CONDITIONS);
    this.readsContainers = mask.has(Part.CONTAINERS);
  }

  void read(JsonParser in) {
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "phase" -> phase = JsonTokenReader.textOr(in, "").intern();
        case "reason" -> reason = JsonTokenReader.textOr(in, "").intern();
        case "nominatedNodeName" -> nominatedNodeName = JsonTokenReader.textOr(in, "");
        case "podIP" -> podIp = JsonTokenReader.textOr(in, "");
        case "podIPs" -> podIps = addresses(in);
        case "conditions" -> {
          if (readsConditions) {
            conditions = V1Condition.list(in);
          }
        }
        case "containerStatuses" -> {
          if (readsContainers) {
            containers = containers(in);
          }
        }
        case "initContainerStatuses" -> {
          if (readsContainers) {
            initContainers = containers(in);
          }
        }
        default -> {}
      }
    }
  }

  V1Pod.Status status() {
    return new V1Pod.Status(
        phase, reason, nominatedNodeName, podIp, podIps, conditions, containers, initContainers);
  }

  private static List<String> addresses(JsonParser in) {
    List<String> addresses = new ArrayList<>(2);
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      String address = "";
      for (String it = JsonTokenReader.firstMember(in);
          it != null;
          it = JsonTokenReader.nextMember(in)) {
        if (it.equals("ip")) {
          address = JsonTokenReader.textOr(in, "");
        }
      }
      addresses.add(address);
    }
    return addresses;
  }

  private static List<V1Pod.ContainerStatus> containers(JsonParser in) {
    List<V1Pod.ContainerStatus> containers = new ArrayList<>(1);
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      ContainerStatusDraft draft = new ContainerStatusDraft();
      for (String it = JsonTokenReader.firstMember(in);
          it != null;
          it = JsonTokenReader.nextMember(in)) {
        switch (it) {
          case "name" -> draft.name = JsonTokenReader.textOr(in, "").intern();
          case "ready" -> draft.ready = JsonTokenReader.booleanOr(in, false);
          case "started" -> draft.started = JsonTokenReader.booleanOr(in, false);
          case "restartCount" -> draft.restartCount = JsonTokenReader.integerOr(in, 0);
          case "state" -> draft.readState(in);
          default -> {}
        }
      }
      containers.add(draft.status());
    }
    return containers;
  }
}
