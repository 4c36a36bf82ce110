package io.fairlead.insight.environment;

import io.fairlead.api.json.Json;
import io.fairlead.insight.explain.ExplanationDocument;
import java.time.Instant;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The document `Variables` of a report. What is not known is null.
public final class VariablesDocument {
  private VariablesDocument() {}

  public static ObjectNode of(VariablesReport report, Instant at) {
    ObjectNode document =
        Json.object().put("apiVersion", "cli.fairlead.dev/v1").put("kind", "Variables");
    document
        .putObject("pod")
        .put("namespace", report.pod().namespace())
        .put("name", report.pod().name());
    ArrayNode containers = document.putArray("containers");
    report
        .containers()
        .forEach(
            each -> text(containers.addObject().put("name", each.name()), "startedAt", each.at()));
    ArrayNode variables = document.putArray("variables");
    for (VariablesReport.Variable each : report.variables()) {
      ObjectNode one = variables.addObject().put("name", each.name()).put("value", each.value());
      text(one, "service", each.service());
      one.put("source", report.source().toString());
    }
    ArrayNode missing = document.putArray("missing");
    report
        .missing()
        .forEach(
            each ->
                missing
                    .addObject()
                    .put("service", each.service())
                    .put("count", each.count())
                    .put("code", each.code().name()));
    ArrayNode wrong = document.putArray("wrong");
    report
        .wrong()
        .forEach(
            each ->
                wrong
                    .addObject()
                    .put("name", each.name())
                    .put("has", each.has())
                    .put("wanted", each.wanted())
                    .put("code", each.code().name()));
    document.put("bytes", report.bytes()).put("limitBytes", report.limitBytes());
    ArrayNode findings = document.putArray("findings");
    report.findings().forEach(each -> findings.add(ExplanationDocument.finding(each, at)));
    return document;
  }

  private static void text(ObjectNode out, String name, String value) {
    if (value.isEmpty()) {
      out.putNull(name);
    } else {
      out.put(name, value);
    }
  }
}
