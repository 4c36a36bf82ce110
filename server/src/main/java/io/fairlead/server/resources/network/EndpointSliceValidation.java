package io.fairlead.server.resources.network;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.net.AddressRules;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// Checks EndpointSlices.
final class EndpointSliceValidation {
  private static final List<String> ADDRESS_TYPES = List.of("FQDN", "IPv4", "IPv6");
  private static final int MAX_ENDPOINTS = 1000;
  private static final int MAX_ADDRESSES = 100;
  private static final int MAX_PORTS = 20_000;
  private static final int MAX_HINTS = 8;

  private EndpointSliceValidation() {}

  static void check(JsonNode slice, Problems problems) {
    problems.requiredOneOf("addressType", slice.path("addressType"), ADDRESS_TYPES);
    JsonNode endpoints = slice.path("endpoints");
    if (endpoints.size() > MAX_ENDPOINTS) {
      problems.add(FieldError.tooMany("endpoints", endpoints.size(), MAX_ENDPOINTS));
      return;
    }
    String type = slice.path("addressType").asString("");
    int index = 0;
    for (JsonNode endpoint : endpoints) {
      checkEndpoint(endpoint, type, "endpoints[" + index + "]", problems);
      index++;
    }
    checkPorts(slice.path("ports"), problems);
  }

  private static void checkEndpoint(
      JsonNode endpoint, String type, String path, Problems problems) {
    JsonNode addresses = endpoint.path("addresses");
    if (addresses.isEmpty()) {
      problems.required(path + ".addresses", "must contain at least 1 address");
    } else if (addresses.size() > MAX_ADDRESSES) {
      problems.add(FieldError.tooMany(path + ".addresses", addresses.size(), MAX_ADDRESSES));
    }
    int index = 0;
    for (JsonNode address : addresses) {
      checkAddress(address.asString(""), type, path + ".addresses[" + index + "]", problems);
      index++;
    }
    String node = endpoint.path("nodeName").asString("");
    if (endpoint.has("nodeName")) {
      problems.each(path + ".nodeName", node, NameValidation.dns1123Subdomain(node));
    }
    String hostname = endpoint.path("hostname").asString("");
    if (endpoint.has("hostname")) {
      problems.each(path + ".hostname", hostname, NameValidation.dns1123Label(hostname));
    }
    checkHints(
        endpoint.at("/hints/forZones"),
        path + ".hints.forZones",
        NameValidation::labelValue,
        problems);
    checkHints(
        endpoint.at("/hints/forNodes"),
        path + ".hints.forNodes",
        NameValidation::dns1123Subdomain,
        problems);
  }

  private static void checkAddress(String text, String type, String path, Problems problems) {
    switch (type) {
      case "IPv4", "IPv6" -> {
        IpAddress address = IpAddress.parseOrNull(text);
        boolean wrongFamily = address != null && address.isIpv4() != type.equals("IPv4");
        if (address == null || address.isIpv4Mapped()) {
          problems.each(path, text, AddressRules.addressProblems(text));
        } else if (wrongFamily) {
          problems.invalid(path, text, "must be an " + type + " address");
        } else if (!address.toString().equals(text)) {
          problems.invalid(path, text, "must be in canonical form (\"" + address + "\")");
        } else {
          AddressChecks.checkReachable(text, path, problems);
        }
      }
      case "FQDN" -> {
        if (text.isEmpty()) {
          problems.required(path);
        } else {
          String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
          List<String> texts = NameValidation.dns1123Subdomain(name);
          problems.each(path, name, texts);
          if (texts.isEmpty() && name.indexOf('.') < 0) {
            problems.invalid(
                path, name, "should be a domain with at least two segments separated by dots");
          }
        }
      }
      default -> {
        // An unknown type is reported by itself.
      }
    }
  }

  private static void checkHints(
      JsonNode hints, String path, Function<String, List<String>> format, Problems problems) {
    if (hints.size() > MAX_HINTS) {
      problems.add(FieldError.tooMany(path, hints.size(), MAX_HINTS));
      return;
    }
    Set<String> seen = Problems.seen();
    int index = 0;
    for (JsonNode hint : hints) {
      String name = hint.path("name").asString("");
      problems.unique(path + "[" + index + "].name", name, seen);
      problems.each(path + "[" + index + "].name", name, format.apply(name));
      index++;
    }
  }

  private static void checkPorts(JsonNode ports, Problems problems) {
    if (ports.size() > MAX_PORTS) {
      problems.add(FieldError.tooMany("ports", ports.size(), MAX_PORTS));
      return;
    }
    Set<String> names = Problems.seen();
    int index = 0;
    for (JsonNode port : ports) {
      String path = "ports[" + index + "]";
      String name = port.path("name").asString("");
      if (!name.isEmpty()) {
        problems.each(path + ".name", name, NameValidation.dns1123Label(name));
      }
      problems.unique(path + ".name", name, names);
      PortValidation.checkProtocol(path + ".protocol", port.path("protocol"), problems);
      PortValidation.checkAppProtocol(path + ".appProtocol", port.path("appProtocol"), problems);
      index++;
    }
  }
}
