package io.fairlead.controller.servicestatus;

import io.fairlead.api.json.Json;
import io.fairlead.controller.serving.EndpointReason;
import io.fairlead.controller.serving.NotReadyCause;
import io.fairlead.controller.serving.TargetPort;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A reason in JSON: its code, and the facts behind it under names that stay.
public final class ReasonJson {
  private ReasonJson() {}

  public static ObjectNode of(EndpointReason reason) {
    ObjectNode json = Json.object().put("code", reason.code());
    switch (reason) {
      case EndpointReason.Finished(var phase) -> json.put("phase", phase);
      case EndpointReason.NoAddress(var phase) -> json.put("phase", phase);
      case EndpointReason.OtherFamily(var wanted, var has) -> {
        ArrayNode families = json.putArray("wanted");
        wanted.forEach(family -> families.add(family.toString()));
        ArrayNode addresses = json.putArray("has");
        has.forEach(address -> addresses.add(address.text()));
      }
      case EndpointReason.NoNode(var node) -> json.put("node", node);
      case EndpointReason.NodeLost(var node, var since) -> since(json.put("node", node), since);
      case EndpointReason.Terminating(var since, var serving) ->
          json.put("since", since).put("serving", serving);
      case EndpointReason.NotReady(var since, var holdups) -> {
        since(json, since);
        json.set("holdups", holdups(holdups));
      }
      case EndpointReason.PortUnknown(var ports, var all) -> {
        json.put("all", all);
        ArrayNode list = json.putArray("ports");
        ports.forEach(
            port ->
                list.addObject()
                    .put("name", port.name())
                    .put("protocol", port.protocol())
                    .put("port", port.port())
                    .put(
                        "targetPort",
                        switch (port.target()) {
                          case TargetPort.Named(var name) -> name;
                          case TargetPort.Numeric(var number) -> Integer.toString(number);
                        }));
      }
      case EndpointReason.NearlySelected(var key, var wanted, var has) -> {
        json.put("key", key).put("wanted", wanted);
        has.ifPresent(value -> json.put("has", value));
      }
    }
    return json;
  }

  private static ArrayNode holdups(List<NotReadyCause> holdups) {
    ArrayNode list = Json.array();
    for (NotReadyCause holdup : holdups) {
      list.addObject()
          .put("kind", holdup.kind().name())
          .put("subject", holdup.subject())
          .put("detail", holdup.detail());
    }
    return list;
  }

  private static void since(ObjectNode json, Optional<Instant> since) {
    since.ifPresent(time -> json.put("since", time.toString()));
  }
}
