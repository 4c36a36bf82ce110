package io.fairlead.insight.verify;

import io.fairlead.api.json.Json;
import io.fairlead.client.informer.ResourceVersions;
import io.fairlead.client.objects.V1Node;
import io.fairlead.insight.evidence.AboutReport;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.MachineEvidence;
import io.fairlead.insight.evidence.NameAnswer;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.explain.Explanation;
import io.fairlead.insight.explain.NodeExplainer;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Proof;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Judges a whole node, for those who look every minute: what is wrong with it is a fault even
/// where no Service suffers yet. Pure.
public final class NodeVerifier {
  private static final int NAMED = 5;

  private NodeVerifier() {}

  public static NodeVerification verify(VerifyEvidence evidence) {
    MachineEvidence machine = evidence.machine();
    String node = machine.name();
    Optional<JsonNode> rules = machine.rules().value();
    List<ServicePortDifference> differences = new ArrayList<>();
    rules.ifPresent(
        one ->
            one.path("differences")
                .forEach(each -> differences.add(ServicePortDifference.of(each))));
    List<Finding> findings = new ArrayList<>();
    machine
        .node()
        .value()
        .flatMap(found -> found)
        .ifPresent(known -> findings.addAll(ofNode(machine, known)));
    rules.flatMap(one -> differing(node, one, differences)).ifPresent(findings::add);
    behind(evidence).ifPresent(findings::add);
    stale(node, evidence.flows()).forEach(findings::add);
    names(evidence).ifPresent(findings::add);
    findings.sort(Finding.GRAVEST_FIRST);
    List<Explanation.Unknown> unseen = new ArrayList<>();
    unseen(unseen, "about", machine.about());
    unseen(unseen, "rules", machine.rules());
    unseen(unseen, "checks", machine.checks());
    unseen(unseen, "flows", evidence.flows());
    unseen(unseen, "names", evidence.name());
    boolean blind =
        !machine.about().isSeen() && !machine.rules().isSeen() && !machine.checks().isSeen();
    return new NodeVerification(
        node,
        machine.about().value().map(AboutReport::mode).orElse(""),
        number(rules, "services"),
        number(rules, "servicePorts"),
        number(rules, "agreeing"),
        differences,
        findings,
        unseen,
        blind && machine.about() instanceof Unseen<?> one
            ? Optional.of(one.why())
            : Optional.<Why>empty(),
        evidence.millis());
  }

  private static Optional<Long> number(Optional<JsonNode> document, String field) {
    return document.map(one -> one.path(field)).filter(JsonNode::isNumber).map(JsonNode::asLong);
  }

  /// What is wrong with the proxy and the kernel's settings. A trace that was left behind costs
  /// every packet something, so it is a fault here.
  private static List<Finding> ofNode(MachineEvidence machine, V1Node node) {
    return NodeExplainer.explain(machine, node).findings().stream()
        .filter(each -> each.code() != FindingCode.FL140)
        .map(each -> each.code() == FindingCode.FL197 ? each.as(Severity.FAULT) : each)
        .toList();
  }

  private static Optional<Finding> differing(
      String node, JsonNode rules, List<ServicePortDifference> differences) {
    long count = rules.path("differing").asLong(0);
    if (count == 0) {
      return Optional.empty();
    }
    Optional<ServicePortDifference> first = differences.stream().findFirst();
    String names =
        differences.stream()
            .map(ServicePortDifference::name)
            .limit(NAMED)
            .collect(Collectors.joining(", "));
    return Optional.of(
        kernel(
            FindingCode.FL140,
            node,
            Map.of(
                "nodes",
                node,
                "node",
                node,
                "count",
                Long.toString(count),
                "services",
                names,
                "name",
                first.map(ServicePortDifference::service).orElse("NAME"),
                "namespace",
                first.map(ServicePortDifference::namespace).orElse("default"))));
  }

  /// Rules that do not show slices which the API has had for as long as the node was asked to wait
  /// for them.
  private static Optional<Finding> behind(VerifyEvidence evidence) {
    MachineEvidence machine = evidence.machine();
    String newest = evidence.newest().value().orElse("");
    return machine
        .about()
        .value()
        .filter(
            about ->
                !newest.isEmpty()
                    && about.writtenSlices().values().stream()
                        .anyMatch(
                            written ->
                                written.isEmpty() || ResourceVersions.compare(written, newest) < 0))
        .map(
            about ->
                kernel(
                    FindingCode.FL143,
                    machine.name(),
                    Map.of(
                        "node",
                        machine.name(),
                        "state",
                        "behind",
                        "version",
                        String.join(", ", new TreeSet<>(about.writtenSlices().values())),
                        "behind",
                        "late")));
  }

  /// UDP flows that the kernel still sends to what is no endpoint any more. Connections of TCP end
  /// by themselves.
  private static List<Finding> stale(String node, Evidence<JsonNode> flows) {
    List<Finding> found = new ArrayList<>();
    flows
        .value()
        .ifPresent(
            document ->
                document
                    .path("stale")
                    .forEach(
                        each -> {
                          if (Json.textOr(each, "", "protocol").equals("UDP")
                              && each.path("active").asInt(0) > 0) {
                            found.add(stale(node, each));
                          }
                        }));
    return found;
  }

  private static Finding stale(String node, JsonNode flow) {
    return new Finding(
        FindingCode.FL145,
        Severity.FAULT,
        Subject.service(Json.textOr(flow, "", "namespace"), Json.textOr(flow, "", "name")),
        Map.of(
            "count",
            Integer.toString(flow.path("active").asInt()),
            "address",
            Json.textOr(flow, "", "address"),
            "protocol",
            "udp"),
        List.of(new Proof(Source.KERNEL, node, "")));
  }

  /// The cluster's DNS, asked for a name that every cluster has.
  private static Optional<Finding> names(VerifyEvidence evidence) {
    String node = evidence.machine().name();
    if (evidence.dnsServers().value().filter(ready -> ready == 0).isPresent()) {
      return Optional.of(
          Finding.of(
              FindingCode.FL159,
              Subject.service("kube-system", "kube-dns"),
              Source.API,
              Map.of("name", "kube-dns")));
    }
    return evidence
        .name()
        .value()
        .filter(answer -> answer.addresses().isEmpty())
        .map(
            answer -> {
              boolean silent = answer.rcode().equals(NameAnswer.NO_ANSWER);
              return new Finding(
                  silent ? FindingCode.FL150 : FindingCode.FL156,
                  Severity.FAULT,
                  Subject.node(node),
                  silent
                      ? Map.of("server", answer.server())
                      : Map.of(
                          "fqdn",
                          answer.name().replaceFirst("\\.$", ""),
                          "rcode",
                          answer.rcode().equals("NOERROR") ? "NODATA" : answer.rcode()),
                  List.of(new Proof(Source.PROBE, node, "")));
            });
  }

  private static Finding kernel(FindingCode code, String node, Map<String, String> values) {
    return new Finding(
        code,
        Severity.FAULT,
        Subject.node(node),
        values,
        List.of(new Proof(Source.KERNEL, node, "")));
  }

  private static void unseen(List<Explanation.Unknown> out, String what, Evidence<?> evidence) {
    if (evidence instanceof Unseen<?> one) {
      out.add(new Explanation.Unknown(what, one.node(), one.why()));
    }
  }
}
