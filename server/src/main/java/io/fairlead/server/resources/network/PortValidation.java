package io.fairlead.server.resources.network;

import io.fairlead.api.names.NameValidation;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// What ports of all kinds demand alike.
public final class PortValidation {
  public static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

  private PortValidation() {}

  public static void checkNumber(String path, long number, Problems problems) {
    for (String text : NameValidation.portNumber(number)) {
      problems.invalid(path, number, text);
    }
  }

  /// A number or the name of a container port.
  public static void checkNumberOrName(String path, JsonNode port, Problems problems) {
    if (port.isString()) {
      problems.each(path, port.stringValue(), NameValidation.portName(port.stringValue()));
    } else {
      checkNumber(path, port.asLong(0), problems);
    }
  }

  public static void checkProtocol(String path, JsonNode protocol, Problems problems) {
    if (protocol.isMissingNode()) {
      problems.required(path);
    } else {
      problems.oneOf(path, protocol, PROTOCOLS);
    }
  }

  public static void checkAppProtocol(String path, JsonNode protocol, Problems problems) {
    if (protocol.isString()) {
      problems.each(
          path, protocol.stringValue(), NameValidation.qualifiedName(protocol.stringValue()));
    }
  }
}
