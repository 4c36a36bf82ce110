package io.fairlead.server.resources.network;

import io.fairlead.api.names.Names;
import io.fairlead.api.net.AddressRules;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Checks EndpointSlices.
final class SliceRules {
  private static final List<String> ADDRESS_TYPES = List.of("FQDN", "IPv4", "IPv6");
  private static final int MAX_ENDPOINTS = 1000;
  private static final int MAX_ADDRESSES = 100;
  private static final int MAX_PORTS = 20_000;
  private static final int MAX_HINTS = 8;

  private SliceRules() {}

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
    for (JsonNode address : addresses) {
      checkAddress(address.asString(""), type, path + ".addresses", problems);
    }
    String node = endpoint.path("nodeName").asString("");
    if (endpoint.has("nodeName")) {
      problems.each(path + ".nodeName", node, Names.dns1123Subdomain(node));
    }
    String hostname = endpoint.path("hostname").asString("");
    if (endpoint.has("hostname")) {
      problems.each(path + ".hostname", hostname, Names.dns1123Label(hostname));
    }
    checkHints(endpoint.at("/hints/forZones"), path + ".hints.forZones", problems);
    checkHints(endpoint.at("/hints/forNodes"), path + ".hints.forNodes", problems);
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
      case "FQDN" -> problems.each(path, text, Names.dns1123Subdomain(text));
      default -> {
        // An unknown type is reported by itself.
      }
    }
  }

  private static void checkHints(JsonNode hints, String path, Problems problems) {
    if (hints.size() > MAX_HINTS) {
      problems.add(FieldError.tooMany(path, hints.size(), MAX_HINTS));
      return;
    }
    Set<String> seen = Problems.seen();
    int index = 0;
    for (JsonNode hint : hints) {
      problems.unique(path + "[" + index + "].name", hint.path("name").asString(""), seen);
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
        problems.each(path + ".name", name, Names.dns1123Label(name));
      }
      problems.unique(path + ".name", name, names);
      PortRules.checkProtocol(path + ".protocol", port.path("protocol"), problems);
      PortRules.checkAppProtocol(path + ".appProtocol", port.path("appProtocol"), problems);
      index++;
    }
  }
}
