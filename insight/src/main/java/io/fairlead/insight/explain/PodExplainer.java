package io.fairlead.insight.explain;

import io.fairlead.api.json.Json;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.client.objects.V1Times;
import io.fairlead.controller.serving.EndpointNode;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.EndpointReason;
import io.fairlead.controller.serving.EndpointReasonFinder;
import io.fairlead.controller.serving.ExcludedPod;
import io.fairlead.controller.serving.ServicePortSpec;
import io.fairlead.insight.evidence.ListenersReport;
import io.fairlead.insight.evidence.PodEvidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import io.fairlead.insight.finding.Verdict;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.NetworkPolicyReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.node.ObjectNode;

/// Judges the evidence about one pod: which Services lead to it, and why others do not. Pure.
public final class PodExplainer {
  private final PodEvidence evidence;
  private final ObjectNode object;
  private final V1Pod pod;
  private final EndpointPod endpoint;
  private final List<Finding> findings = new ArrayList<>();

  private PodExplainer(PodEvidence evidence, ObjectNode object) {
    this.evidence = evidence;
    this.object = object;
    this.pod = V1Pod.of(object);
    this.endpoint = EndpointPod.of(pod);
  }

  /// @param object the pod that the evidence is about
  public static Explanation explain(PodEvidence evidence, ObjectNode object) {
    return new PodExplainer(evidence, object).explain();
  }

  private Explanation explain() {
    List<Row> rows = new ArrayList<>();
    rows.add(services());
    nearly().ifPresent(rows::add);
    rows.add(listening());
    rows.add(names());
    policies().ifPresent(rows::add);
    environment().ifPresent(rows::add);
    rows.forEach(row -> findings.addAll(row.findings()));
    findings.sort(Finding.GRAVEST_FIRST);
    return new Explanation(
        subject(),
        header(),
        Json.object()
            .put("phase", pod.status().phase())
            .put("ready", endpoint.ready())
            .put("node", pod.spec().nodeName()),
        rows,
        findings,
        Verdict.of(findings, true),
        Optional.empty(),
        evidence.listeners() instanceof Unseen<?> unseen
            ? List.of(new Explanation.Unknown("listeners", pod.spec().nodeName(), unseen.why()))
            : List.of());
  }

  private Subject subject() {
    return Subject.pod(evidence.key().namespace(), evidence.key().name());
  }

  private Sentence header() {
    Map<String, String> values = new HashMap<>();
    values.put("namespace", evidence.key().namespace());
    values.put("name", evidence.key().name());
    values.put(
        "address",
        pod.status().addresses().isEmpty() ? "–" : String.join(", ", pod.status().addresses()));
    values.put("node", pod.spec().nodeName().isEmpty() ? "–" : pod.spec().nodeName());
    values.put("phase", pod.status().phase());
    values.put("since", endpoint.readyChanged().map(Instant::toString).orElse("unknown"));
    return new Sentence(endpoint.ready() ? "header.pod.ready" : "header.pod", values);
  }

  private Map<String, EndpointNode> nodes() {
    Map<String, EndpointNode> nodes = new HashMap<>();
    for (V1Node node : evidence.nodes().value().orElse(List.of())) {
      nodes.put(node.metadata().name(), EndpointNode.of(node));
    }
    return nodes;
  }

  private Row services() {
    if (evidence.services() instanceof Unseen<?> unseen) {
      return Row.unknown("Services", Words.unknown(unseen));
    }
    List<String> serving = new ArrayList<>();
    List<Finding> found = new ArrayList<>();
    int selecting = 0;
    for (ServiceFacts service : evidence.services().value().orElse(List.of())) {
      if (!service.selecting().selects(endpoint.labels())) {
        continue;
      }
      selecting++;
      List<EndpointReason> reasons =
          EndpointReasonFinder.selected(service.selecting(), endpoint, nodes());
      if (reasons.isEmpty()) {
        serving.add(service.key().name());
      } else {
        found.addAll(PodReasons.of(endpoint, Optional.of(pod), reasons));
      }
    }
    Sentence said =
        selecting == 0
            ? Sentence.of("row.pod.none")
            : Sentence.of(
                serving.size() == selecting ? "row.pod.serves" : "row.pod.partly",
                "services",
                serving.isEmpty() ? "–" : Words.list(serving),
                "count",
                selecting);
    List<Finding> distinct =
        found.stream().distinct().map(each -> each.as(Severity.FAULT)).toList();
    return Row.of("Services", selecting == 0 ? RowState.NONE : RowState.OK, said, Source.API)
        .withFindings(distinct);
  }

  /// Services that would pick it but for one label.
  private Optional<Row> nearly() {
    List<Finding> found = new ArrayList<>();
    for (ServiceFacts service : evidence.services().value().orElse(List.of())) {
      for (ExcludedPod each :
          EndpointReasonFinder.of(service.selecting(), List.of(endpoint), nodes())) {
        if (each.reasons().getFirst()
            instanceof EndpointReason.NearlySelected(String key, String _, var has)) {
          Map<String, String> values = new TreeMap<>();
          values.put("namespace", service.key().namespace());
          values.put("name", service.key().name());
          values.put("selector", service.selector());
          values.put("count", "1");
          values.put("key", key);
          values.put("labels", key + "=" + has.orElse(""));
          values.put("patch", Json.object().put(key, has.orElse("")).toString());
          found.add(
              Finding.of(
                      FindingCode.FL102,
                      Subject.service(service.key().namespace(), service.key().name()),
                      Source.API,
                      values)
                  .as(Severity.NOTE));
        }
      }
    }
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Row.of(
                    "Nearly",
                    RowState.NONE,
                    Sentence.of(
                        "row.pod.nearly",
                        "services",
                        Words.list(found.stream().map(each -> each.subject().name()).toList())),
                    Source.API)
                .withFindings(found));
  }

  private Row listening() {
    if (evidence.listeners() instanceof Unseen<?> unseen) {
      return Row.unknown("Listening", Words.unknown(unseen));
    }
    ListenersReport sockets = evidence.listeners().value().orElseThrow();
    TreeSet<String> open = new TreeSet<>();
    for (ListenersReport.Listener each : sockets.listeners()) {
      open.add(each.port() + "/" + each.protocol() + " on " + each.address() + led(each));
    }
    return Row.of(
        "Listening",
        open.isEmpty() ? RowState.NONE : RowState.OK,
        open.isEmpty()
            ? Sentence.of("row.slices.none")
            : Sentence.of("row.pod.open", "open", String.join(", ", open)),
        Source.KERNEL);
  }

  /// Which Service port leads to a socket.
  private String led(ListenersReport.Listener socket) {
    for (ServiceFacts service : evidence.services().value().orElse(List.of())) {
      if (service.selecting().selects(endpoint.labels())) {
        for (ServicePortSpec port : service.selecting().ports()) {
          if (endpoint.resolve(port).orElse(0) == socket.port()
              && port.protocol().equals(socket.protocol())) {
            return " ← " + service.key().name() + ":" + port.port();
          }
        }
      }
    }
    return "";
  }

  private Row names() {
    List<String> names = new ArrayList<>();
    for (String address : pod.status().addresses()) {
      names.add(
          address.replace('.', '-').replace(':', '-')
              + "."
              + evidence.key().namespace()
              + ".pod.cluster.local");
    }
    if (!pod.spec().hostname().isEmpty() && !pod.spec().subdomain().isEmpty()) {
      names.add(
          pod.spec().hostname()
              + "."
              + pod.spec().subdomain()
              + "."
              + evidence.key().namespace()
              + ".svc.cluster.local");
    }
    return Row.of(
        "Names",
        names.isEmpty() ? RowState.NONE : RowState.OK,
        names.isEmpty()
            ? Sentence.of("row.slices.none")
            : Sentence.of("row.pod.names", "names", String.join(", ", names)),
        Source.MODEL);
  }

  private Optional<Row> policies() {
    List<String> selecting = new ArrayList<>();
    for (ObjectNode each : evidence.policies().value().orElse(List.of())) {
      NetworkPolicy policy = NetworkPolicyReader.read(each);
      if (policy.podSelector().isPresent()
          && policy.podSelector().get().matches(endpoint.labels())) {
        selecting.add(policy.key().name());
      }
    }
    return selecting.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Row.of(
                "Policy",
                RowState.NONE,
                Sentence.of("row.pod.policy", "policy", Words.list(selecting)),
                Source.API));
  }

  /// Service variables that it does not have.
  private Optional<Row> environment() {
    if (!object.path("spec").path("enableServiceLinks").asBoolean(true)) {
      return Optional.of(
          Row.found(
              "Env",
              RowState.NONE,
              Finding.of(
                  FindingCode.FL172, subject(), Source.API, Map.of("pod", evidence.key().name()))));
    }
    Optional<Instant> started =
        V1Times.parse(
            Json.textOr(
                object.path("status").path("containerStatuses").path(0),
                "",
                "state",
                "running",
                "startedAt"));
    List<String> younger = new ArrayList<>();
    for (ServiceFacts service : evidence.services().value().orElse(List.of())) {
      Optional<Instant> created = V1Times.parse(service.spec().creationTimestamp());
      if (started.isPresent()
          && created.isPresent()
          && !service.clusterIps().isEmpty()
          && started.get().isBefore(created.get())) {
        younger.add(service.key().name());
      }
    }
    return younger.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Row.of(
                "Env",
                RowState.NONE,
                Sentence.of("row.pod.younger", "services", Words.list(younger)),
                Source.API));
  }
}
