package io.fairlead.app.command.expose;

import io.fairlead.api.json.Json;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.text.Phrase;
import io.fairlead.client.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The Service that `expose` makes of a workload. Pure.
///
/// It is that of `kubectl expose`, but for one thing: where a port is given and the containers have
/// exactly one, it leads to that one, not to its own number.
///
/// @param name of the Service
/// @param port empty for the ports of the containers
/// @param targetPort a number or a name; empty to find it out
record ServiceDraft(String name, String type, Optional<Integer> port, Optional<String> targetPort) {
  /// How a user may go on who said no port.
  private static final int USUAL = 80;

  /// The object to create.
  ///
  /// @throws FairleadException where no Service can lead to the workload, or not by what was said
  ObjectNode of(ExposedWorkload workload) {
    if (workload.hasExpressions()) {
      throw refused(workload, Phrase.of("FL231.expressions"), Phrase.of("FL231.expressions.next"));
    }
    Map<String, String> selector = workload.selector();
    if (selector.isEmpty()) {
      throw refused(
          workload,
          Phrase.of("FL231.labels"),
          Phrase.of("FL231.labels.next", workload.name(), workload.key().name()));
    }
    ObjectNode service = Json.object();
    service.put("apiVersion", ResourceType.SERVICES.apiVersion());
    service.put("kind", ResourceType.SERVICES.kind());
    ObjectNode metadata = service.putObject("metadata");
    metadata.put("name", name).put("namespace", workload.key().namespace());
    if (!workload.labels().isEmpty()) {
      workload.labels().forEach(metadata.putObject("labels")::put);
    }
    ObjectNode spec = service.putObject("spec").put("type", type);
    selector.forEach(spec.putObject("selector")::put);
    ports(workload, spec.putArray("ports"));
    return service;
  }

  private void ports(ExposedWorkload workload, ArrayNode ports) {
    List<ExposedWorkload.ContainerPort> known = workload.ports();
    if (port.isPresent()) {
      ExposedWorkload.ContainerPort target = target(workload, known);
      put(ports.addObject(), port.get(), target);
      return;
    }
    if (known.isEmpty()) {
      throw refused(
          workload, Phrase.of("FL231.port"), Phrase.of("FL231.port.next", workload.name(), USUAL));
    }
    if (targetPort.isPresent()) {
      ExposedWorkload.ContainerPort target = target(workload, known);
      put(ports.addObject(), target.number() == 0 ? USUAL : target.number(), target);
      return;
    }
    for (ExposedWorkload.ContainerPort each : known) {
      ObjectNode out = ports.addObject();
      if (known.size() > 1) {
        out.put("name", each.name().isEmpty() ? "port-" + each.number() : each.name());
      }
      put(out, each.number(), each);
    }
  }

  /// The port of the containers that is meant.
  private ExposedWorkload.ContainerPort target(
      ExposedWorkload workload, List<ExposedWorkload.ContainerPort> known) {
    if (targetPort.isPresent()) {
      String wanted = targetPort.get();
      boolean number = wanted.matches("[0-9]+");
      return known.stream()
          .filter(
              each -> each.name().equals(wanted) || Integer.toString(each.number()).equals(wanted))
          .findFirst()
          .map(
              each ->
                  number
                      ? new ExposedWorkload.ContainerPort("", each.number(), each.protocol())
                      : each)
          .orElseGet(
              () ->
                  new ExposedWorkload.ContainerPort(
                      number ? "" : wanted,
                      number && wanted.length() < 6 ? Integer.parseInt(wanted) : 0,
                      "TCP"));
    }
    int own = port.orElse(0);
    List<ExposedWorkload.ContainerPort> same =
        known.stream().filter(each -> each.number() == own).toList();
    if (!same.isEmpty() || known.isEmpty()) {
      return new ExposedWorkload.ContainerPort(
          "", own, same.isEmpty() ? "TCP" : same.getFirst().protocol());
    }
    if (known.size() > 1) {
      throw refused(
          workload,
          Phrase.of(
              "FL231.ports",
              known.stream()
                  .map(each -> each.number() + "/" + each.protocol())
                  .collect(Collectors.joining(", ")),
              own),
          Phrase.of("FL231.ports.next", workload.name(), own, known.getFirst().number()));
    }
    return new ExposedWorkload.ContainerPort(
        "", known.getFirst().number(), known.getFirst().protocol());
  }

  private void put(ObjectNode out, int number, ExposedWorkload.ContainerPort target) {
    out.put("port", number).put("protocol", target.protocol());
    if (targetPort.isPresent() && target.name().equals(targetPort.get())) {
      out.put("targetPort", target.name());
    } else {
      out.put("targetPort", target.number());
    }
  }

  private static FairleadException refused(ExposedWorkload workload, Phrase why, Phrase next) {
    return new FairleadException(ErrorCode.FL231, workload.name(), why, next);
  }
}
