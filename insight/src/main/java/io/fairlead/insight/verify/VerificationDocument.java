package io.fairlead.insight.verify;

import io.fairlead.api.json.Json;
import io.fairlead.insight.explain.ExplanationDocument;
import io.fairlead.insight.finding.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The document `Verification` of some nodes. What is not known is null.
public final class VerificationDocument {
  private VerificationDocument() {}

  public static ObjectNode of(List<NodeVerification> nodes, Instant at) {
    ObjectNode document =
        Json.object().put("apiVersion", "cli.fairlead.dev/v1").put("kind", "Verification");
    ArrayNode list = document.putArray("nodes");
    long faults = 0;
    long warnings = 0;
    for (NodeVerification node : nodes) {
      node(list.addObject(), node, at);
      faults += node.count(Severity.FAULT);
      warnings += node.count(Severity.WARNING);
    }
    return document.put("faults", faults).put("warnings", warnings);
  }

  private static void node(ObjectNode out, NodeVerification node, Instant at) {
    out.put("node", node.node());
    if (node.mode().isEmpty()) {
      out.putNull("mode");
    } else {
      out.put("mode", node.mode());
    }
    number(out, "services", node.services());
    number(out, "servicePorts", node.servicePorts());
    number(out, "agree", node.agreeing());
    ArrayNode differ = out.putArray("differ");
    for (ServicePortDifference each : node.differences()) {
      ObjectNode one =
          differ
              .addObject()
              .put("service", each.namespace() + "/" + each.service())
              .put("port", each.port())
              .put("family", each.family());
      each.missing().forEach(one.putArray("missing")::add);
      each.extra().forEach(one.putArray("extra")::add);
    }
    ArrayNode findings = out.putArray("findings");
    node.findings().forEach(each -> findings.add(ExplanationDocument.finding(each, at)));
    out.put("millis", node.millis());
    ExplanationDocument.unseen(node.unseen(), out.putArray("unseen"));
  }

  private static void number(ObjectNode out, String name, Optional<Long> value) {
    value.ifPresentOrElse(each -> out.put(name, each), () -> out.putNull(name));
  }
}
