package io.fairlead.controller.serving;

import io.fairlead.client.objects.V1Service;
import java.util.Optional;

/// One port of a Service.
///
/// @param name empty when it is the only one and has none
/// @param protocol `TCP`, `UDP` or `SCTP`
public record ServicePortSpec(
    String name, String protocol, int port, TargetPort target, Optional<String> appProtocol) {
  static ServicePortSpec of(V1Service.Port port) {
    return new ServicePortSpec(
        port.name(),
        port.protocol(),
        port.port(),
        TargetPort.of(port),
        Optional.ofNullable(port.appProtocol()));
  }
}
