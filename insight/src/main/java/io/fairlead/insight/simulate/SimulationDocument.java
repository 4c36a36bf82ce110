package io.fairlead.insight.simulate;

import io.fairlead.api.json.Json;
import io.fairlead.insight.explain.ExplanationDocument;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.simulate.ServiceEffect.PlacedEndpoint;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A simulation as programs read it: the document `Simulation`, in English.
public final class SimulationDocument {
  private static final SentenceCatalog ENGLISH = SentenceCatalog.english();

  private SimulationDocument() {}

  public static ObjectNode of(SimulationResult result, Instant at) {
    ObjectNode document =
        Json.object()
            .put("apiVersion", "cli.fairlead.dev/v1")
            .put("kind", "Simulation")
            .put("allServices", result.all())
            .put("breaks", result.breaks());
    strings(document.putArray("ignored"), result.ignored());
    ArrayNode notes = document.putArray("notes");
    result.notes().forEach(each -> notes.add(ENGLISH.text(each)));
    ArrayNode services = document.putArray("services");
    result.services().forEach(effect -> services.add(service(effect, at)));
    return document;
  }

  private static ObjectNode service(ServiceEffect effect, Instant at) {
    ObjectNode node =
        Json.object()
            .put("namespace", effect.key().namespace())
            .put("name", effect.key().name())
            .put("noticeable", effect.isNoticeable());
    node.set("before", endpoints(effect.before()));
    node.set("after", endpoints(effect.after()));
    ObjectNode slices = node.putObject("slices");
    strings(slices.putArray("changed"), effect.slices().changed());
    strings(slices.putArray("made"), effect.slices().made());
    strings(slices.putArray("removed"), effect.slices().removed());
    ArrayNode shares = node.putArray("shares");
    for (ServiceEffect.ShareChange change : effect.shares()) {
      ObjectNode one = endpoint(change.endpoint()).put("port", change.port());
      shares.add(one.put("before", change.before()).put("after", change.after()));
    }
    ArrayNode rules = node.putArray("rules");
    for (ServiceEffect.RuleChange change : effect.rules()) {
      ObjectNode one = rules.addObject().put("node", change.node()).put("mode", change.mode());
      strings(one.putArray("added"), change.added());
      strings(one.putArray("removed"), change.removed());
    }
    effect
        .connections()
        .ifPresentOrElse(
            each ->
                node.putObject("connections")
                    .put("ending", each.ending())
                    .put("staying", each.staying()),
            () -> node.putNull("connections"));
    ArrayNode findings = node.putArray("findings");
    effect.findings().forEach(each -> findings.add(ExplanationDocument.finding(each, at)));
    ArrayNode notes = node.putArray("notes");
    effect.notes().forEach(each -> notes.add(ENGLISH.text(each)));
    return node;
  }

  private static ObjectNode endpoints(List<PlacedEndpoint> endpoints) {
    ObjectNode node = Json.object().put("ready", endpoints.size());
    ArrayNode list = node.putArray("endpoints");
    endpoints.forEach(each -> list.add(endpoint(each)));
    return node;
  }

  /// What has no address yet has a null.
  private static ObjectNode endpoint(PlacedEndpoint endpoint) {
    ObjectNode node = Json.object();
    if (endpoint.given()) {
      node.put("address", endpoint.address());
    } else {
      node.putNull("address");
    }
    return text(text(node, "pod", endpoint.pod()), "node", endpoint.node());
  }

  private static ObjectNode text(ObjectNode node, String name, String value) {
    return value.isEmpty() ? node.putNull(name) : node.put(name, value);
  }

  private static void strings(ArrayNode list, List<String> all) {
    all.forEach(list::add);
  }
}
