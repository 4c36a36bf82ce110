package io.fairlead.server.resources.network;

import io.fairlead.api.names.Names;
import io.fairlead.api.net.IpAddress;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Checks Ingresses.
final class IngressRules {
  private static final List<String> PATH_TYPES =
      List.of("Exact", "ImplementationSpecific", "Prefix");

  private IngressRules() {}

  static void check(JsonNode spec, Problems problems) {
    boolean nothing = spec.path("rules").isEmpty() && !spec.path("defaultBackend").isObject();
    if (nothing) {
      problems.invalid(
          "spec", spec.path("rules"), "either `defaultBackend` or `rules` must be specified");
    }
    if (spec.path("defaultBackend").isObject()) {
      checkBackend(spec.path("defaultBackend"), "spec.defaultBackend", problems);
    }
    int index = 0;
    for (JsonNode rule : spec.path("rules")) {
      String path = "spec.rules[" + index + "]";
      checkHost(rule.path("host").asString(""), path + ".host", problems);
      int number = 0;
      for (JsonNode one : rule.at("/http/paths")) {
        checkPath(one, path + ".http.paths[" + number + "]", problems);
        number++;
      }
      if (rule.path("http").isObject() && rule.at("/http/paths").isEmpty()) {
        problems.required(path + ".http.paths");
      }
      index++;
    }
  }

  private static void checkHost(String host, String path, Problems problems) {
    if (host.isEmpty()) {
      return;
    }
    if (IpAddress.parseOrNull(host) != null) {
      problems.invalid(path, host, "must be a DNS name, not an IP address");
    } else if (host.contains("*")) {
      problems.each(path, host, Names.wildcardSubdomain(host));
    } else {
      problems.each(path, host, Names.dns1123Subdomain(host));
    }
  }

  private static void checkPath(JsonNode one, String path, Problems problems) {
    JsonNode type = one.path("pathType");
    String text = one.path("path").asString("");
    switch (type.asString("")) {
      case "" -> problems.required(path + ".pathType", "pathType must be specified");
      case "Exact", "Prefix" -> {
        if (!text.startsWith("/")) {
          problems.invalid(path + ".path", text, "must be an absolute path");
        }
      }
      case "ImplementationSpecific" -> {
        if (!text.isEmpty() && !text.startsWith("/")) {
          problems.invalid(path + ".path", text, "must be an absolute path");
        }
      }
      default -> problems.oneOf(path + ".pathType", type, PATH_TYPES);
    }
    checkBackend(one.path("backend"), path + ".backend", problems);
  }

  private static void checkBackend(JsonNode backend, String path, Problems problems) {
    JsonNode service = backend.path("service");
    boolean resource = backend.path("resource").isObject();
    if (resource && service.isObject()) {
      problems.invalid(path, "", "cannot set both resource and service backends");
      return;
    }
    if (resource) {
      return;
    }
    if (!service.isObject()) {
      problems.required(path, "cannot have empty path with no resource and service backend");
      return;
    }
    String name = service.path("name").asString("");
    if (name.isEmpty()) {
      problems.required(path + ".service.name");
    } else {
      problems.each(path + ".service.name", name, Names.dns1035Label(name));
    }
    String portName = service.at("/port/name").asString("");
    long number = service.at("/port/number").asLong(0);
    if (!portName.isEmpty() && number != 0) {
      problems.invalid(path, "", "cannot set both port name & port number");
    } else if (!portName.isEmpty()) {
      problems.each(path + ".service.port.name", portName, Names.portName(portName));
    } else if (number == 0) {
      problems.required(path, "port name or number is required");
    } else {
      PortRules.checkNumber(path + ".service.port.number", number, problems);
    }
  }
}
