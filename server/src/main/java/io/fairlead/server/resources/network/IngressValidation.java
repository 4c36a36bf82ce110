package io.fairlead.server.resources.network;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.net.IpAddress;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Checks Ingresses.
final class IngressValidation {
  private static final List<String> PATH_TYPES =
      List.of("Exact", "ImplementationSpecific", "Prefix");

  private IngressValidation() {}

  static void check(JsonNode spec, Problems problems) {
    boolean nothing = spec.path("rules").isEmpty() && !spec.path("defaultBackend").isObject();
    if (nothing) {
      problems.invalid(
          "spec", spec.path("rules"), "either `defaultBackend` or `rules` must be specified");
    }
    checkClassName(spec.path("ingressClassName"), problems);
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
    checkTls(spec.path("tls"), problems);
  }

  private static void checkClassName(JsonNode name, Problems problems) {
    if (name.isString()) {
      problems.each(
          "spec.ingressClassName",
          name.stringValue(),
          NameValidation.dns1123Subdomain(name.stringValue()));
    }
  }

  private static void checkTls(JsonNode tls, Problems problems) {
    int index = 0;
    for (JsonNode one : tls) {
      String path = "spec.tls[" + index + "]";
      int number = 0;
      for (JsonNode host : one.path("hosts")) {
        String name = host.asString("");
        problems.each(
            path + ".hosts[" + number + "]",
            name,
            name.contains("*")
                ? NameValidation.wildcardSubdomain(name)
                : NameValidation.dns1123Subdomain(name));
        number++;
      }
      String secret = one.path("secretName").asString("");
      if (!secret.isEmpty()) {
        problems.each(path + ".secretName", secret, NameValidation.dns1123Subdomain(secret));
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
      problems.each(path, host, NameValidation.wildcardSubdomain(host));
    } else {
      problems.each(path, host, NameValidation.dns1123Subdomain(host));
    }
  }

  private static void checkPath(JsonNode one, String path, Problems problems) {
    JsonNode type = one.path("pathType");
    String text = one.path("path").asString("");
    if (type.isMissingNode()) {
      problems.required(path + ".pathType", "pathType must be specified");
      return;
    }
    switch (type.asString("")) {
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

  /// A reference to an object of any kind in the same namespace.
  static void checkReference(JsonNode reference, String path, Problems problems) {
    JsonNode group = reference.path("apiGroup");
    if (group.isString()) {
      problems.each(
          path + ".apiGroup",
          group.stringValue(),
          NameValidation.dns1123Subdomain(group.stringValue()));
    }
    for (String field : List.of("kind", "name")) {
      String text = reference.path(field).asString("");
      if (text.isEmpty()) {
        problems.required(path + "." + field);
      } else {
        problems.each(path + "." + field, text, NameValidation.pathSegment(text));
      }
    }
  }

  private static void checkBackend(JsonNode backend, String path, Problems problems) {
    JsonNode service = backend.path("service");
    boolean resource = backend.path("resource").isObject();
    if (resource && service.isObject()) {
      problems.invalid(path, "", "cannot set both resource and service backends");
      return;
    }
    if (resource) {
      checkReference(backend.path("resource"), path + ".resource", problems);
      return;
    }
    if (!service.isObject()) {
      problems.invalid(path, "", "resource or service backend is required");
      return;
    }
    String name = service.path("name").asString("");
    if (name.isEmpty()) {
      problems.required(path + ".service.name");
    } else {
      problems.each(path + ".service.name", name, NameValidation.dns1123Label(name));
    }
    String portName = service.at("/port/name").asString("");
    long number = service.at("/port/number").asLong(0);
    if (!portName.isEmpty() && number != 0) {
      problems.invalid(path, "", "cannot set both port name & port number");
    } else if (!portName.isEmpty()) {
      problems.each(path + ".service.port.name", portName, NameValidation.portName(portName));
    } else if (number == 0) {
      problems.required(path, "port name or number is required");
    } else {
      PortValidation.checkNumber(path + ".service.port.number", number, problems);
    }
  }
}
