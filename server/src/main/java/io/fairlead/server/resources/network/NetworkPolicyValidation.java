package io.fairlead.server.resources.network;

import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.net.AddressRules;
import io.fairlead.api.net.Cidr;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Checks NetworkPolicies.
final class NetworkPolicyValidation {
  private static final List<String> TYPES = List.of("Ingress", "Egress");

  private NetworkPolicyValidation() {}

  static void check(JsonNode spec, Problems problems) {
    problems.addAll(MetadataRules.labelSelector(spec.path("podSelector"), "spec.podSelector"));
    checkRules(spec.path("ingress"), "from", "spec.ingress", problems);
    checkRules(spec.path("egress"), "to", "spec.egress", problems);
    JsonNode types = spec.path("policyTypes");
    if (types.size() > TYPES.size()) {
      problems.invalid("spec.policyTypes", types, "may not specify more than two policyTypes");
      return;
    }
    int index = 0;
    for (JsonNode type : types) {
      problems.oneOf("spec.policyTypes[" + index + "]", type, TYPES);
      index++;
    }
  }

  private static void checkRules(JsonNode rules, String peers, String path, Problems problems) {
    int index = 0;
    for (JsonNode rule : rules) {
      String at = path + "[" + index + "]";
      int port = 0;
      for (JsonNode one : rule.path("ports")) {
        checkPort(one, at + ".ports[" + port + "]", problems);
        port++;
      }
      int peer = 0;
      for (JsonNode one : rule.path(peers)) {
        checkPeer(one, at + "." + peers + "[" + peer + "]", problems);
        peer++;
      }
      index++;
    }
  }

  private static void checkPort(JsonNode port, String path, Problems problems) {
    JsonNode protocol = port.path("protocol");
    if (!protocol.isMissingNode()) {
      problems.oneOf(path + ".protocol", protocol, List.of("TCP", "UDP", "SCTP"));
    }
    JsonNode number = port.path("port");
    JsonNode end = port.path("endPort");
    if (number.isMissingNode()) {
      if (end.isNumber()) {
        problems.invalid(
            path + ".endPort", end, "may not be specified when `port` is not specified");
      }
      return;
    }
    if (number.isString()) {
      if (end.isNumber()) {
        problems.invalid(path + ".endPort", end, "may not be specified when `port` is non-numeric");
      }
      problems.each(
          path + ".port", number.stringValue(), NameValidation.portName(number.stringValue()));
      return;
    }
    PortValidation.checkNumber(path + ".port", number.asLong(0), problems);
    if (end.isNumber()) {
      if (end.asLong(0) < number.asLong(0)) {
        // The value shown is that of the port: programs know it so.
        problems.invalid(path + ".endPort", number, "must be greater than or equal to `port`");
      }
      PortValidation.checkNumber(path + ".endPort", end.asLong(0), problems);
    }
  }

  private static void checkPeer(JsonNode peer, String path, Problems problems) {
    int parts = 0;
    for (String selector : List.of("podSelector", "namespaceSelector")) {
      if (peer.path(selector).isObject()) {
        parts++;
        problems.addAll(MetadataRules.labelSelector(peer.path(selector), path + "." + selector));
      }
    }
    boolean block = peer.path("ipBlock").isObject();
    if (block) {
      checkBlock(peer.path("ipBlock"), path + ".ipBlock", problems);
    }
    if (parts == 0 && !block) {
      problems.required(path, "must specify a peer");
    } else if (parts > 0 && block) {
      problems.forbidden(path, "may not specify both ipBlock and another peer");
    }
  }

  private static void checkBlock(JsonNode block, String path, Problems problems) {
    String text = block.path("cidr").asString("");
    if (text.isEmpty()) {
      problems.required(path + ".cidr");
      return;
    }
    List<String> texts = AddressRules.cidrProblems(text);
    problems.each(path + ".cidr", text, texts);
    if (!texts.isEmpty()) {
      return;
    }
    Cidr outer = Cidr.parseOrNull(text);
    int index = 0;
    for (JsonNode except : block.path("except")) {
      String at = path + ".except[" + index + "]";
      String inner = except.asString("");
      problems.each(at, inner, AddressRules.cidrProblems(inner));
      Cidr hole = Cidr.parseOrNull(inner);
      boolean strictlyInside =
          outer == null
              || hole == null
              || (outer.contains(hole) && hole.prefixLength() > outer.prefixLength());
      if (!strictlyInside) {
        problems.invalid(at, inner, "must be a strict subset of `cidr`");
      }
      index++;
    }
  }
}
