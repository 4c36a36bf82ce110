package io.fairlead.client.objects;

import io.fairlead.api.json.JsonTokenReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;

/// Reads the containers of a Pod's spec from their tokens.
final class V1ContainerReader {
  private V1ContainerReader() {}

  static List<V1Pod.Container> list(JsonParser in) {
    List<V1Pod.Container> containers = new ArrayList<>(1);
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      containers.add(read(in));
    }
    return containers;
  }

  private static V1Pod.Container read(JsonParser in) {
    String name = "";
    String image = "";
    String restartPolicy = "";
    List<V1Pod.Port> ports = List.of();
    Map<String, String> requests = Map.of();
    V1Pod.Probe startup = null;
    V1Pod.Probe readiness = null;
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "name" -> name = JsonTokenReader.textOr(in, "").intern();
        case "image" -> image = JsonTokenReader.textOr(in, "").intern();
        case "restartPolicy" -> restartPolicy = JsonTokenReader.textOr(in, "").intern();
        case "ports" -> ports = ports(in);
        case "resources" -> requests = requests(in);
        case "startupProbe" -> startup = probe(in);
        case "readinessProbe" -> readiness = probe(in);
        default -> {}
      }
    }
    return new V1Pod.Container(name, image, restartPolicy, ports, requests, startup, readiness);
  }

  private static List<V1Pod.Port> ports(JsonParser in) {
    List<V1Pod.Port> ports = new ArrayList<>(1);
    for (boolean is = JsonTokenReader.firstItem(in); is; is = JsonTokenReader.nextItem(in)) {
      String name = "";
      String protocol = "TCP";
      int port = 0;
      int hostPort = 0;
      String hostIp = "";
      for (String it = JsonTokenReader.firstMember(in);
          it != null;
          it = JsonTokenReader.nextMember(in)) {
        switch (it) {
          case "name" -> name = JsonTokenReader.textOr(in, "").intern();
          case "protocol" -> protocol = V1ServiceReader.protocol(in);
          case "containerPort" -> port = JsonTokenReader.integerOr(in, 0);
          case "hostPort" -> hostPort = JsonTokenReader.integerOr(in, 0);
          case "hostIP" -> hostIp = JsonTokenReader.textOr(in, "").intern();
          default -> {}
        }
      }
      ports.add(new V1Pod.Port(name, protocol, port, hostPort, hostIp));
    }
    return ports;
  }

  private static Map<String, String> requests(JsonParser in) {
    Map<String, String> requests = Map.of();
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      if (it.equals("requests")) {
        requests = amounts(in);
      }
    }
    return requests;
  }

  /// `{"cpu": "500m", "memory": "1Gi"}`; numbers as their text.
  static Map<String, String> amounts(JsonParser in) {
    Map<String, String> amounts = new LinkedHashMap<>();
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      amounts.put(it.intern(), JsonTokenReader.scalar(in).intern());
    }
    return amounts;
  }

  private static V1Pod.Probe probe(JsonParser in) {
    V1Pod.Probe probe = new V1Pod.Probe("", "", "", "");
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "httpGet", "tcpSocket", "grpc", "exec" -> probe = handler(in, it.intern());
        default -> {}
      }
    }
    return probe;
  }

  private static V1Pod.Probe handler(JsonParser in, String handler) {
    String port = "";
    String path = "";
    String command = "";
    for (String it = JsonTokenReader.firstMember(in);
        it != null;
        it = JsonTokenReader.nextMember(in)) {
      switch (it) {
        case "port" -> port = JsonTokenReader.scalar(in).intern();
        case "path" -> path = JsonTokenReader.textOr(in, "").intern();
        case "command" -> {
          List<String> words = JsonTokenReader.texts(in);
          command = words.isEmpty() ? "" : words.getFirst().intern();
        }
        default -> {}
      }
    }
    return new V1Pod.Probe(handler, port, path, command);
  }
}
