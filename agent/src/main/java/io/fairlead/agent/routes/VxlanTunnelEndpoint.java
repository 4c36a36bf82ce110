package io.fairlead.agent.routes;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.route.HardwareAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Where a node's end of VXLAN tunnels is: what the other nodes must know of it.
///
/// @param hardware the address of its interface inside the tunnels
/// @param machine the address of the node that packets are sent to
public record VxlanTunnelEndpoint(HardwareAddress hardware, IpAddress machine) {
  /// The annotation of a Node that carries it.
  public static final String ANNOTATION = "fairlead.dev/vtep";

  /// As the annotation has it: `{"mac":"0a:00:27:00:00:02","ip":"192.168.77.11"}`.
  public String text() {
    return Json.object().put("mac", hardware.toString()).put("ip", machine.toString()).toString();
  }

  /// Reads the annotation; empty when it is not there or makes no sense.
  static Optional<VxlanTunnelEndpoint> of(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      JsonNode json = Json.parse(text.getBytes(StandardCharsets.UTF_8));
      IpAddress machine = IpAddress.parseOrNull(Json.textOr(json, "", "ip"));
      return machine == null
          ? Optional.empty()
          : Optional.of(
              new VxlanTunnelEndpoint(
                  HardwareAddress.parse(Json.textOr(json, "", "mac")), machine));
    } catch (JacksonException | IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
