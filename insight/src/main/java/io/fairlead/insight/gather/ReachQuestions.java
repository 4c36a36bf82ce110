package io.fairlead.insight.gather;

import io.fairlead.api.json.Json;
import io.fairlead.client.objects.V1Service;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.ReachReport;
import io.fairlead.insight.evidence.ReachReport.Attempt;
import io.fairlead.insight.evidence.ReachReport.Outcome;
import io.fairlead.insight.evidence.ReachReport.PortReach;
import io.fairlead.insight.evidence.Seen;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Connects to a Service and to its endpoints: from a pod or node through its node API, else from
/// this machine. TCP only.
final class ReachQuestions {
  private static final int MOST_PORTS = 4;
  private static final int THROUGH = 12;
  private static final int MOST_ENDPOINTS = 40;
  private static final int LIMIT_MILLIS = 1000;
  private static final String CONNECTED = "connected";

  private final Sources sources;
  private final ExplainOptions options;
  private final ServiceFacts service;
  private final List<ObjectNode> slices;
  private final Optional<ServiceEvidence.Client> client;

  ReachQuestions(
      Sources sources,
      ExplainOptions options,
      ServiceFacts service,
      List<ObjectNode> slices,
      Optional<ServiceEvidence.Client> client) {
    this.sources = sources;
    this.options = options;
    this.service = service;
    this.slices = slices;
    this.client = client;
  }

  /// One address to call.
  private record Target(String address, int port) {
    String place() {
      return (address.indexOf(':') >= 0 ? "[" + address + "]" : address) + ":" + port;
    }
  }

  /// What to call for one port.
  ///
  /// @param front null for a headless Service
  private record PortTargets(V1Service.Port port, @Nullable Target front, Set<Target> direct) {}

  Evidence<ReachReport> ask() {
    if (!options.probe()) {
      return Unseen.of(new Why.SwitchedOff("--no-probe"));
    }
    List<PortTargets> ports =
        service.spec().spec().ports().stream()
            .filter(port -> port.protocol().equals("TCP"))
            .filter(
                port ->
                    options.port().isEmpty()
                        || options.port().equals(port.name())
                        || options.port().equals(Integer.toString(port.port())))
            .limit(MOST_PORTS)
            .map(this::targets)
            .toList();
    if (ports.isEmpty() || service.externalName()) {
      return Unseen.of(new Why.NoAnswer("no TCP port"));
    }
    Optional<String> node = client.map(ServiceEvidence.Client::node).or(sources::localNode);
    if (node.isPresent()) {
      Evidence<ReachReport> answer = byNode(node.get(), ports);
      if (answer.isSeen() || client.isPresent()) {
        return answer;
      }
    }
    return client.isPresent() ? Unseen.of(new Why.NoNodeApi()) : fromHere(ports);
  }

  private PortTargets targets(V1Service.Port port) {
    Set<Target> direct = new LinkedHashSet<>();
    String first = service.clusterIps().isEmpty() ? "" : service.clusterIps().getFirst();
    boolean six = first.indexOf(':') >= 0;
    for (ObjectNode slice : slices) {
      boolean family =
          first.isEmpty() || Json.textOr(slice, "", "addressType").equals(six ? "IPv6" : "IPv4");
      for (JsonNode each : slice.path("ports")) {
        if (family
            && Json.textOr(each, "", "name").equals(port.name())
            && Json.textOr(each, "TCP", "protocol").equals("TCP")) {
          endpoints(slice, each.path("port").asInt(0), direct);
        }
      }
    }
    String address = options.front().isEmpty() ? first : options.front();
    boolean node = !options.front().isEmpty() && isNodeAddress(options.front());
    return new PortTargets(
        port,
        address.isEmpty()
            ? null
            : new Target(address, node && port.nodePort() > 0 ? port.nodePort() : port.port()),
        direct);
  }

  /// Whether an address is none of the Service's own, so that only a node port can answer there.
  private boolean isNodeAddress(String address) {
    return !service.clusterIps().contains(address)
        && !service.spec().spec().externalIps().contains(address)
        && service.spec().ingress().stream().noneMatch(one -> one.ip().equals(address));
  }

  /// Those that get connections: the ready ones, else those that serve while terminating.
  private static void endpoints(ObjectNode slice, int port, Set<Target> direct) {
    for (JsonNode endpoint : slice.path("endpoints")) {
      JsonNode conditions = endpoint.path("conditions");
      boolean used =
          conditions.path("ready").asBoolean(true)
              || (conditions.path("serving").asBoolean(false)
                  && conditions.path("terminating").asBoolean(false));
      String address = endpoint.path("addresses").path(0).asString("");
      if (used && port > 0 && !address.isEmpty() && direct.size() < MOST_ENDPOINTS) {
        direct.add(new Target(address, port));
      }
    }
  }

  private Evidence<ReachReport> byNode(String node, List<PortTargets> ports) {
    List<PortReach> reached = new ArrayList<>();
    for (PortTargets port : ports) {
      List<Target> all = new ArrayList<>();
      Target front = port.front();
      if (front != null) {
        all.addAll(java.util.Collections.nCopies(THROUGH, front));
      }
      all.addAll(port.direct());
      Evidence<ObjectNode> answer = sources.post(node, "probes", request(all));
      if (answer instanceof Unseen<ObjectNode> unseen) {
        return new Unseen<>(unseen.why(), node);
      }
      reached.add(read(port, answer.value().orElseThrow()));
    }
    String place =
        client
            .map(one -> (one.pod().isPresent() ? "pod " : "node ") + one.name())
            .orElse("node " + node);
    return new Seen<>(new ReachReport(place, reached), Source.PROBE, node, Instant.EPOCH);
  }

  private ObjectNode request(List<Target> all) {
    ObjectNode request = Json.object();
    ObjectNode from = request.putObject("from");
    client
        .flatMap(ServiceEvidence.Client::pod)
        .ifPresentOrElse(
            pod -> from.put("pod", Json.textOr(pod, "", "metadata", "uid")),
            () -> from.put("node", true));
    ArrayNode targets = request.putArray("targets");
    all.forEach(
        each ->
            targets
                .addObject()
                .put("address", each.address())
                .put("port", each.port())
                .put("protocol", "TCP")
                .put("expect", "any"));
    return request.put("timeoutMillis", LIMIT_MILLIS);
  }

  private static PortReach read(PortTargets port, ObjectNode document) {
    List<Attempt> through = new ArrayList<>();
    Map<String, Attempt> direct = new TreeMap<>();
    Target front = port.front();
    for (JsonNode result : document.path("results")) {
      Target target = new Target(Json.textOr(result, "", "address"), result.path("port").asInt(0));
      Attempt attempt = attempt(result);
      if (target.equals(front)) {
        through.add(attempt);
      } else {
        direct.put(target.place(), attempt);
      }
    }
    return new PortReach(port.port().name(), front == null ? "" : front.place(), through, direct);
  }

  private static Attempt attempt(JsonNode result) {
    String outcome = Json.textOr(result, "", "outcome");
    JsonNode reply = result.path("reply");
    String endpoint =
        reply.path("sourcePort").asInt(0) > 0
            ? new Target(Json.textOr(reply, "", "sourceAddress"), reply.path("sourcePort").asInt())
                .place()
            : "";
    return new Attempt(
        outcome.equals(CONNECTED)
            ? Outcome.ANSWERED
            : switch (outcome) {
              case "refused" -> Outcome.REFUSED;
              case "timeout", "failed" -> Outcome.NO_ANSWER;
              default -> Outcome.UNREACHABLE;
            },
        result.path("millis").asDouble(0),
        endpoint);
  }

  /// Which endpoint answered through the front cannot be told from here, so each is asked directly,
  /// too.
  private Evidence<ReachReport> fromHere(List<PortTargets> ports) {
    List<PortReach> reached = new ArrayList<>();
    try (ExecutorService threads = io.fairlead.work.Tasks.perTask("connect")) {
      for (PortTargets port : ports) {
        Map<String, Future<Attempt>> direct = new LinkedHashMap<>();
        port.direct()
            .forEach(each -> direct.put(each.place(), threads.submit(() -> connect(each))));
        List<Attempt> through = new ArrayList<>();
        Target front = port.front();
        if (front != null) {
          through.add(connect(front));
          // One that failed is tried once more; the others only where it says something new.
          boolean good = through.getFirst().outcome() == Outcome.ANSWERED;
          int more = good ? THROUGH - 1 : 1;
          List<Future<Attempt>> rest = new ArrayList<>();
          for (int i = 0; i < more; i++) {
            rest.add(threads.submit(() -> connect(front)));
          }
          rest.forEach(each -> through.add(settled(each::get)));
        }
        Map<String, Attempt> answers = new TreeMap<>();
        direct.forEach((place, each) -> answers.put(place, settled(each::get)));
        reached.add(
            new PortReach(
                port.port().name(), front == null ? "" : front.place(), through, answers));
      }
    }
    boolean anything =
        reached.stream()
            .flatMap(
                port ->
                    java.util.stream.Stream.concat(
                        port.through().stream(), port.direct().values().stream()))
            .anyMatch(attempt -> attempt.outcome() == Outcome.ANSWERED);
    // From outside of the cluster silence says nothing about it.
    return !anything && sources.localNode().isEmpty()
        ? Unseen.of(new Why.NoNodeApi())
        : new Seen<>(new ReachReport("here", reached), Source.PROBE, "", Instant.EPOCH);
  }

  private Attempt connect(Target target) {
    return sources
        .connect(target.address(), target.port())
        .value()
        .orElseGet(() -> new Attempt(Outcome.UNREACHABLE, 0, ""));
  }

  /// A task that may be waited for.
  private interface Waiting {
    Attempt get() throws InterruptedException, ExecutionException;
  }

  private static Attempt settled(Waiting waiting) {
    try {
      return waiting.get();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new Attempt(Outcome.NO_ANSWER, 0, "");
    } catch (ExecutionException _) {
      return new Attempt(Outcome.UNREACHABLE, 0, "");
    }
  }
}
