package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.http.server.QueryParameters;
import io.fairlead.server.request.RequestInfo;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What a connection to a pod, service or node shall be, as an object: that is what admission is
/// asked about. Pure.
final class ConnectOptions {
  private ConnectOptions() {}

  /// `PodExecOptions`, `PodProxyOptions` and so on, with what the query says.
  static ObjectNode of(RequestInfo info, QueryParameters query) {
    String subresource = info.subresource();
    String kind =
        switch (subresource) {
          case "exec" -> "PodExecOptions";
          case "attach" -> "PodAttachOptions";
          case "portforward" -> "PodPortForwardOptions";
          default ->
              switch (info.resource()) {
                case "services" -> "ServiceProxyOptions";
                case "nodes" -> "NodeProxyOptions";
                default -> "PodProxyOptions";
              };
        };
    ObjectNode options = Json.object().put("kind", kind).put("apiVersion", "v1");
    switch (subresource) {
      case "exec", "attach" -> {
        for (String flag : List.of("stdin", "stdout", "stderr", "tty")) {
          if (query.isOn(flag)) {
            options.put(flag, true);
          }
        }
        putUnlessEmpty(options, "container", query.text("container"));
        if (subresource.equals("exec") && query.has("command")) {
          query.all("command").forEach(options.putArray("command")::add);
        }
      }
      case "portforward" -> {
        if (query.has("ports")) {
          for (String port : query.all("ports")) {
            if (port.matches("[0-9]{1,5}")) {
              options.withArray("ports").add(Integer.parseInt(port));
            }
          }
        }
      }
      default -> {
        if (!info.rest().isEmpty()) {
          options.put("path", "/" + info.rest());
        }
      }
    }
    return options;
  }

  private static void putUnlessEmpty(ObjectNode options, String member, String value) {
    if (!value.isEmpty()) {
      options.put(member, value);
    }
  }
}
