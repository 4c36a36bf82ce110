package io.fairlead.server.resources.pod;

import io.fairlead.api.names.NameValidation;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Checks probes and lifecycle hooks: exactly one way of asking, sensible numbers.
final class ProbeValidation {
  private static final List<String> PROBE_HANDLERS =
      List.of("exec", "httpGet", "tcpSocket", "grpc");
  private static final List<String> HOOK_HANDLERS =
      List.of("exec", "httpGet", "tcpSocket", "sleep");
  private static final List<String> NUMBERS =
      List.of(
          "initialDelaySeconds",
          "timeoutSeconds",
          "periodSeconds",
          "successThreshold",
          "failureThreshold");

  private ProbeValidation() {}

  static void check(JsonNode container, String path, Problems problems) {
    for (String hook : List.of("postStart", "preStop")) {
      JsonNode one = container.path("lifecycle").path(hook);
      if (one.isObject()) {
        checkHandler(one, path + ".lifecycle." + hook, HOOK_HANDLERS, problems);
      }
    }
    checkProbe(container, "livenessProbe", path, problems);
    checkProbe(container, "readinessProbe", path, problems);
    checkProbe(container, "startupProbe", path, problems);
  }

  private static void checkProbe(JsonNode container, String field, String path, Problems problems) {
    JsonNode probe = container.path(field);
    if (!probe.isObject()) {
      return;
    }
    String at = path + "." + field;
    checkHandler(probe, at, PROBE_HANDLERS, problems);
    for (String number : NUMBERS) {
      problems.notNegative(at + "." + number, probe.path(number));
    }
    boolean onceIsEnough = !field.equals("readinessProbe");
    if (onceIsEnough && probe.path("successThreshold").asLong(1) != 1) {
      problems.invalid(at + ".successThreshold", probe.path("successThreshold"), "must be 1");
    }
  }

  private static void checkHandler(
      JsonNode handler, String path, List<String> known, Problems problems) {
    int handlers = 0;
    for (String type : known) {
      if (!handler.path(type).isObject()) {
        continue;
      }
      handlers++;
      if (handlers > 1) {
        problems.forbidden(path + "." + type, "may not specify more than 1 handler type");
      } else {
        checkOne(handler.path(type), type, path + "." + type, problems);
      }
    }
    if (handlers == 0) {
      problems.required(path, "must specify a handler type");
    }
  }

  private static void checkOne(JsonNode one, String type, String path, Problems problems) {
    switch (type) {
      case "exec" -> {
        if (one.path("command").isEmpty()) {
          problems.required(path + ".command");
        }
      }
      case "httpGet" -> {
        if (one.path("path").asString("").isEmpty()) {
          problems.required(path + ".path");
        }
        checkPort(one.path("port"), path + ".port", problems);
        problems.oneOf(path + ".scheme", one.path("scheme"), List.of("HTTP", "HTTPS"));
        for (JsonNode header : one.path("httpHeaders")) {
          String name = header.path("name").asString("");
          problems.each(path + ".httpHeaders", name, NameValidation.httpHeader(name));
        }
      }
      case "tcpSocket" -> checkPort(one.path("port"), path + ".port", problems);
      case "grpc" -> {
        for (String text : NameValidation.portNumber(one.path("port").asLong(0))) {
          problems.invalid(path + ".port", one.path("port").asLong(0), text);
        }
      }
      default -> {
        // A sleep has nothing that could be wrong beyond its type.
      }
    }
  }

  private static void checkPort(JsonNode port, String path, Problems problems) {
    if (port.isString()) {
      problems.each(path, port.stringValue(), NameValidation.portName(port.stringValue()));
    } else {
      for (String text : NameValidation.portNumber(port.asLong(0))) {
        problems.invalid(path, port.asLong(0), text);
      }
    }
  }
}
