package io.fairlead.controller.reasons;

import io.fairlead.api.json.Json;
import io.fairlead.controller.serving.Holdup;
import io.fairlead.controller.serving.Reason;
import io.fairlead.controller.serving.TargetPort;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A reason in JSON: its code, and the facts behind it under names that stay.
final class ReasonJson {
  private ReasonJson() {}

  static ObjectNode of(Reason reason) {
    ObjectNode json = Json.object().put("code", reason.code());
    switch (reason) {
      case Reason.Finished(var phase) -> json.put("phase", phase);
      case Reason.NoAddress(var phase) -> json.put("phase", phase);
      case Reason.OtherFamily(var wanted, var has) -> {
        ArrayNode families = json.putArray("wanted");
        wanted.forEach(family -> families.add(family.toString()));
        ArrayNode addresses = json.putArray("has");
        has.forEach(address -> addresses.add(address.text()));
      }
      case Reason.NoNode(var node) -> json.put("node", node);
      case Reason.NodeLost(var node, var since) -> since(json.put("node", node), since);
      case Reason.Terminating(var since, var serving) ->
          json.put("since", since).put("serving", serving);
      case Reason.NotReady(var since, var holdups) -> {
        since(json, since);
        json.set("holdups", holdups(holdups));
      }
      case Reason.PortUnknown(var ports, var all) -> {
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
                          case TargetPort.Number(var number) -> Integer.toString(number);
                        }));
      }
      case Reason.NearlySelected(var key, var wanted, var has) -> {
        json.put("key", key).put("wanted", wanted);
        has.ifPresent(value -> json.put("has", value));
      }
    }
    return json;
  }

  private static ArrayNode holdups(List<Holdup> holdups) {
    ArrayNode list = Json.array();
    for (Holdup holdup : holdups) {
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
