package io.fairlead.server.resources.service;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.network.PortValidation;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Checks the ports of a Service.
final class ServicePortValidation {
  private ServicePortValidation() {}

  static void check(JsonNode ports, Problems problems) {
    boolean named = ports.size() > 1;
    Set<String> names = Problems.seen();
    int index = 0;
    for (JsonNode port : ports) {
      String path = path(index);
      String name = port.path("name").asString("");
      if (!name.isEmpty()) {
        problems.each(path + ".name", name, NameValidation.dns1123Label(name));
        problems.unique(path + ".name", name, names);
      } else if (named) {
        problems.required(path + ".name");
      }
      PortValidation.checkNumber(path + ".port", port.path("port").asLong(0), problems);
      PortValidation.checkProtocol(path + ".protocol", port.path("protocol"), problems);
      PortValidation.checkNumberOrName(path + ".targetPort", port.path("targetPort"), problems);
      PortValidation.checkAppProtocol(path + ".appProtocol", port.path("appProtocol"), problems);
      index++;
    }
  }

  /// A node port belongs to types that open one, and to one port of each protocol only.
  static void checkNodePorts(JsonNode spec, Problems problems) {
    boolean closed = ServiceSpec.type(spec).equals("ClusterIP");
    Set<String> seen = Problems.seen();
    int index = 0;
    for (JsonNode port : spec.path("ports")) {
      int nodePort = port.path("nodePort").asInt(0);
      if (nodePort != 0) {
        String path = path(index) + ".nodePort";
        if (closed) {
          problems.forbidden(path, "may not be used when `type` is 'ClusterIP'");
        }
        if (!seen.add(nodePort + "/" + port.path("protocol").asString(""))) {
          problems.duplicate(path, port.path("nodePort"));
        }
      }
      index++;
    }
  }

  static void checkDuplicates(JsonNode ports, Problems problems) {
    Set<String> seen = Problems.seen();
    int index = 0;
    for (JsonNode port : ports) {
      String key = port.path("port").asLong(0) + "/" + port.path("protocol").asString("");
      if (!seen.add(key)) {
        problems.duplicate(path(index), shown(port));
      }
      index++;
    }
  }

  private static ObjectNode shown(JsonNode port) {
    ObjectNode shown = Json.object();
    shown.put("Name", "");
    shown.put("Protocol", port.path("protocol").asString(""));
    shown.putNull("AppProtocol");
    shown.put("Port", port.path("port").asLong(0));
    shown.put("TargetPort", 0).put("NodePort", 0);
    return shown;
  }

  private static String path(int index) {
    return "spec.ports[" + index + "]";
  }
}
