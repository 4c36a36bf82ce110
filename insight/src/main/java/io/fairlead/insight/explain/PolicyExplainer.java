package io.fairlead.insight.explain;

import io.fairlead.api.json.Json;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.PolicyEvidence;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import io.fairlead.insight.finding.Verdict;
import io.fairlead.policy.core.Direction;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.NetworkPolicyReader;
import io.fairlead.policy.core.NetworkPolicyRule;
import io.fairlead.policy.core.PolicyNamespace;
import io.fairlead.policy.core.PolicyPeer;
import io.fairlead.policy.core.PolicyPod;
import io.fairlead.policy.core.PolicyPort;
import io.fairlead.policy.core.PolicyRemark;
import io.fairlead.policy.core.PolicyReview;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// Judges the evidence about one NetworkPolicy: which pods it applies to, whom each rule lets in or
/// out, whether the nodes enforce it, and what it has dropped. Pure.
public final class PolicyExplainer {
  private final PolicyEvidence evidence;
  private final ObjectNode object;
  private final NetworkPolicy policy;
  private final List<PolicyPod> pods;
  private final List<PolicyNamespace> namespaces;
  private final List<PolicyPod> selected;
  private final List<PolicyRemark> remarks;

  private PolicyExplainer(PolicyEvidence evidence, ObjectNode object) {
    this.evidence = evidence;
    this.object = object;
    this.policy = NetworkPolicyReader.read(object);
    this.pods = evidence.pods().value().orElse(List.of());
    this.namespaces = evidence.namespaces().value().orElse(List.of());
    this.selected = pods.stream().filter(policy::appliesTo).toList();
    this.remarks = PolicyReview.of(policy, pods, namespaces);
  }

  /// @param object the policy that the evidence is about
  public static Explanation explain(PolicyEvidence evidence, ObjectNode object) {
    return new PolicyExplainer(evidence, object).explain();
  }

  private Explanation explain() {
    List<Row> rows = new ArrayList<>();
    Optional<Unseen<?>> blind = blind();
    if (blind.isPresent()) {
      rows.add(Row.unknown("Selector", Words.unknown(blind.get())));
    } else {
      rows.add(selector());
    }
    for (Direction direction : Direction.values()) {
      List<NetworkPolicyRule> rules = policy.rules(direction);
      for (int i = 0; i < rules.size(); i++) {
        rows.add(rule(direction, i, rules.get(i), blind.isEmpty()));
      }
    }
    entries().ifPresent(rows::add);
    PolicyEnforcement enforcement = new PolicyEnforcement(evidence, object, policy, selected);
    enforcement.nodes().ifPresent(rows::add);
    new PolicyDrops(evidence, policy, pods).row().ifPresent(rows::add);
    List<Finding> findings = new ArrayList<>();
    rows.forEach(row -> findings.addAll(row.findings()));
    findings.sort(Finding.GRAVEST_FIRST);
    boolean checked = evidence.reports().isSeen() && blind.isEmpty();
    Verdict verdict = Verdict.of(findings, checked);
    return new Explanation(
        subject(),
        header(enforcement),
        summary(),
        rows,
        findings,
        verdict,
        verdict == Verdict.UNKNOWN ? why() : Optional.empty(),
        unseen());
  }

  /// Which list is missing without which nothing can be said about who is selected.
  private Optional<Unseen<?>> blind() {
    if (evidence.pods() instanceof Unseen<?> unseen) {
      return Optional.of(unseen);
    }
    return evidence.namespaces() instanceof Unseen<?> unseen
        ? Optional.of(unseen)
        : Optional.empty();
  }

  private Optional<Why> why() {
    return blind()
        .<Why>map(Unseen::why)
        .or(
            () ->
                evidence.reports() instanceof Unseen<?> unseen
                    ? Optional.of(unseen.why())
                    : Optional.empty());
  }

  private List<Explanation.Unknown> unseen() {
    List<Explanation.Unknown> unknown = new ArrayList<>();
    add(unknown, "pods", "", evidence.pods());
    add(unknown, "namespaces", "", evidence.namespaces());
    add(unknown, "reports", "", evidence.reports());
    evidence.drops().forEach((node, answer) -> add(unknown, "drops", node, answer));
    return unknown;
  }

  private static void add(
      List<Explanation.Unknown> unknown, String what, String node, Evidence<?> answer) {
    if (answer instanceof Unseen<?> unseen) {
      unknown.add(new Explanation.Unknown(what, node, unseen.why()));
    }
  }

  private Subject subject() {
    return Subject.policy(evidence.key().namespace(), evidence.key().name());
  }

  private String directions() {
    return policy.types().stream()
        .sorted()
        .map(Direction::toString)
        .collect(Collectors.joining(", "));
  }

  private int rules() {
    return policy.rules(Direction.INGRESS).size() + policy.rules(Direction.EGRESS).size();
  }

  private Sentence header(PolicyEnforcement enforcement) {
    Map<String, String> values = new TreeMap<>();
    values.put("namespace", evidence.key().namespace());
    values.put("name", evidence.key().name());
    values.put("directions", directions());
    values.put("pods", Integer.toString(selected.size()));
    values.put("rules", Integer.toString(rules()));
    values.put("enforcing", Integer.toString(enforcement.enforcing().size()));
    values.put("nodes", Integer.toString(enforcement.concerned().size()));
    return new Sentence(
        enforcement.concerned().isEmpty() ? "header.policy" : "header.policy.nodes", values);
  }

  private ObjectNode summary() {
    ObjectNode summary = Json.object();
    policy.types().stream()
        .sorted()
        .forEach(type -> summary.withArray("directions").add(type.toString()));
    return summary.put("pods", selected.size()).put("rules", rules());
  }

  private Row selector() {
    String text = policy.podSelector().map(Object::toString).orElse("");
    for (PolicyRemark remark : remarks) {
      if (remark instanceof PolicyRemark.AppliesToNoPod nothing) {
        String near =
            nothing.nearest().map(one -> " (" + one.label() + ": " + one.pods() + ")").orElse("");
        return Row.found(
            "Selector", RowState.OK, nothing("podSelector", (text.isEmpty() ? "{}" : text) + near));
      }
    }
    return Row.of(
        "Selector",
        selected.isEmpty() ? RowState.WARNING : RowState.OK,
        Sentence.of(
            text.isEmpty() ? "row.policy.everything" : "row.policy.selector",
            "selector",
            text,
            "count",
            selected.size()),
        Source.API);
  }

  private Finding nothing(String what, String detail) {
    return Finding.of(
        FindingCode.FL166,
        subject(),
        Source.API,
        Map.of("what", what, "detail", detail, "namespace", evidence.key().namespace()));
  }

  private Row rule(Direction direction, int index, NetworkPolicyRule rule, boolean seen) {
    String name = (direction == Direction.INGRESS ? "Ingress " : "Egress ") + (index + 1);
    String peers = rule.peers().stream().map(each -> peer(each, seen)).collect(joining());
    String ports = rule.ports().stream().map(PolicyPort::toString).collect(joining());
    Row row =
        Row.of(
            name,
            RowState.OK,
            Sentence.of("row.policy." + direction, "peers", peers, "ports", ports),
            Source.API);
    if (!seen) {
      return row;
    }
    for (PolicyRemark remark : remarks) {
      switch (remark) {
        case PolicyRemark.PeerMatchesNoPod peer
            when peer.direction() == direction && peer.rule() == index ->
            row = row.with(nothing(peer.path(), peer.pods().toString()));
        case PolicyRemark.PortUnresolved port
            when direction == Direction.INGRESS && names(rule, port) ->
            row =
                row.with(
                    Finding.of(
                        FindingCode.FL167,
                        subject(),
                        Source.API,
                        Map.of(
                            "port", port.name().toString(),
                            "count", Integer.toString(port.pods()))));
        default -> {}
      }
    }
    return row;
  }

  private static Collector<CharSequence, ?, String> joining() {
    return Collectors.joining(", ");
  }

  private static boolean names(NetworkPolicyRule rule, PolicyRemark.PortUnresolved port) {
    return rule.ports().stream()
        .anyMatch(
            each -> each instanceof PolicyPort.Named named && named.name().equals(port.name()));
  }

  /// A peer, and how many pods it selects now.
  private String peer(PolicyPeer peer, boolean seen) {
    return seen && peer instanceof PolicyPeer.Pods named
        ? peer + " (" + PolicyReview.selected(named, pods, namespaces).count() + ")"
        : peer.toString();
  }

  /// Entries that an API server should have refused, or a policy that is too large.
  private Optional<Row> entries() {
    List<Finding> found = new ArrayList<>();
    for (PolicyRemark remark : remarks) {
      if (remark instanceof PolicyRemark.MatchesNothing wrong) {
        Finding finding = nothing(wrong.entry().path(), wrong.entry().why());
        // All rules are gone: what was meant to be let in is not.
        found.add(wrong.entry().isTooLarge() ? finding.as(Severity.FAULT) : finding);
      }
    }
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Row.of(
                    "Entries",
                    RowState.OK,
                    Sentence.of("row.policy.entries", "count", found.size()),
                    Source.API)
                .withFindings(found));
  }
}
