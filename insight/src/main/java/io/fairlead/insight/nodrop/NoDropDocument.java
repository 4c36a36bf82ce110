package io.fairlead.insight.nodrop;

import io.fairlead.api.json.Json;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.SentenceCatalog;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A report as programs read it: the document `NoDrop`, in English.
public final class NoDropDocument {
  private static final SentenceCatalog ENGLISH = SentenceCatalog.english();
  private static final int MOST_LOSSES = 1000;

  private NoDropDocument() {}

  /// @param fates what happened to endpoints, by address
  public static ObjectNode of(
      NoDropReport report, String namespace, String service, Map<String, EndpointFate> fates) {
    ObjectNode document =
        Json.object().put("apiVersion", "cli.fairlead.dev/v1").put("kind", "NoDrop");
    document
        .putObject("subject")
        .put("kind", "Service")
        .put("namespace", namespace)
        .put("name", service);
    report.command().forEach(document.putArray("command")::add);
    report
        .commandExit()
        .ifPresentOrElse(
            exit -> document.put("commandExit", exit), () -> document.putNull("commandExit"));
    document
        .put("seconds", report.seconds())
        .put("opened", report.tally().opened())
        .put("ok", report.tally().ok())
        .put("lost", report.tally().lost())
        .put("late", report.tally().late())
        .put("proof", report.isProof());
    document
        .putObject("long")
        .put("opened", report.longLived().opened())
        .put("cleanEnds", report.longLived().ended())
        .put("broken", report.longLived().broken());
    ArrayNode losses = document.putArray("losses");
    ArrayNode causes = document.putArray("causes");
    ArrayNode next = document.putArray("next");
    for (LossGroup group : report.groups()) {
      ObjectNode cause = causes.addObject().put("count", group.losses().size());
      code(cause, group.code());
      text(cause, "endpoint", group.endpoint());
      text(cause, "pod", group.pod());
      cause.put("message", ENGLISH.text(group.sentence()));
      ObjectNode values = cause.putObject("values");
      group.values().forEach(values::put);
      group.next().ifPresent(each -> next.add(ENGLISH.text(each)));
      Optional<Instant> told =
          Optional.ofNullable(fates.get(group.endpoint().replaceAll(":[0-9]+$", "")))
              .flatMap(EndpointFate::told);
      for (ConnectionLoss loss : group.losses()) {
        if (losses.size() < MOST_LOSSES) {
          losses.add(loss(loss, group, told));
        }
      }
    }
    return document;
  }

  private static ObjectNode loss(ConnectionLoss loss, LossGroup group, Optional<Instant> told) {
    ObjectNode node = Json.object().put("at", loss.at().toString());
    if (told.isPresent() && !told.get().isAfter(loss.at())) {
      node.put("millisAfterTerm", Duration.between(told.get(), loss.at()).toMillis());
    } else {
      node.putNull("millisAfterTerm");
    }
    text(node, "place", loss.place());
    text(node, "endpoint", loss.endpoint());
    text(node, "pod", group.pod());
    node.put("how", loss.how().word()).put("established", loss.established());
    code(node, group.code());
    return node.put("localPort", loss.localPort()).put("afterMillis", loss.afterMillis());
  }

  private static void code(ObjectNode node, Optional<FindingCode> code) {
    if (code.isPresent()) {
      node.put("code", code.get().name());
    } else {
      node.putNull("code");
    }
  }

  private static void text(ObjectNode node, String name, String value) {
    if (value.isEmpty()) {
      node.putNull(name);
    } else {
      node.put(name, value);
    }
  }
}
