package io.fairlead.insight.explain;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.RawObject;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.Severity;
import io.fairlead.policy.core.ConnectionExplanation;
import io.fairlead.policy.core.IpProtocol;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.NetworkPolicyReader;
import io.fairlead.policy.core.Oracle;
import io.fairlead.policy.core.PolicyNamespace;
import io.fairlead.policy.core.PolicyPod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// The row `Policy`: whether NetworkPolicies let the client pass. Left out when no policy selects
/// an endpoint.
final class PolicyRow {
  private static final String NAME = "Policy";

  private PolicyRow() {}

  static Optional<Row> of(ServiceCase asked) {
    List<NetworkPolicy> selecting = new ArrayList<>();
    for (ObjectNode object : asked.objects().policies().value().orElse(List.of())) {
      NetworkPolicy policy = NetworkPolicyReader.read(object);
      boolean selects =
          asked.selected().stream()
              .anyMatch(
                  pod ->
                      policy.podSelector().isPresent()
                          && policy.podSelector().get().matches(pod.labels()));
      if (selects) {
        selecting.add(policy);
      }
    }
    if (selecting.isEmpty()) {
      return Optional.empty();
    }
    String names = Words.list(selecting.stream().map(policy -> policy.key().name()).toList());
    Set<String> nodes = asked.used().stream().map(EndpointView::node).collect(Collectors.toSet());
    boolean enforced =
        asked.objects().enforcers().value().orElse(List.of()).containsAll(nodes)
            && !nodes.isEmpty();
    Optional<ServiceEvidence.Client> client =
        asked.evidence().client().filter(one -> one.pod().isPresent());
    if (!enforced) {
      Finding unknown =
          Finding.of(FindingCode.FL162, asked.subject(), Source.API, asked.values("policy", names));
      return Optional.of(Row.found(NAME, RowState.UNKNOWN, unknown));
    }
    if (client.isEmpty()) {
      return Optional.of(
          Row.of(
              NAME,
              RowState.NONE,
              Sentence.of("row.policy.selected", "policy", names),
              Source.API));
    }
    return Optional.of(judged(asked, client.get(), selecting.size()));
  }

  private static Row judged(ServiceCase asked, ServiceEvidence.Client client, int count) {
    List<PolicyPod> pods = new ArrayList<>();
    asked.objects().neighbours().value().orElse(List.of()).stream()
        .map(RawObject::of)
        .map(PolicyPod::read)
        .forEach(pods::add);
    PolicyPod own = PolicyPod.read(RawObject.of(client.pod().orElseThrow()));
    if (pods.stream().noneMatch(pod -> pod.key().equals(own.key()))) {
      pods.add(own);
    }
    Oracle oracle =
        new Oracle(
            new Oracle.Node("", Set.of(), List.of()),
            asked.objects().namespaces().value().orElse(List.of()).stream()
                .map(RawObject::of)
                .map(PolicyNamespace::read)
                .toList(),
            pods,
            asked.objects().policies().value().orElse(List.of()).stream()
                .map(NetworkPolicyReader::read)
                .toList());
    int denied = 0;
    List<Finding> findings = new ArrayList<>();
    for (EndpointView endpoint : asked.used()) {
      Optional<Finding> finding = denial(asked, own, oracle, endpoint);
      if (finding.isPresent()) {
        denied++;
        if (findings.isEmpty()) {
          findings.add(finding.get());
        }
      }
    }
    if (findings.isEmpty()) {
      Sentence said = Sentence.of("row.policy.passes", "count", count, "client", client.name());
      return Row.of(NAME, RowState.OK, said, Source.MODEL);
    }
    Finding first = findings.getFirst();
    return Row.found(
        NAME, RowState.OK, denied == asked.used().size() ? first : first.as(Severity.WARNING));
  }

  private static Optional<Finding> denial(
      ServiceCase asked, PolicyPod own, Oracle oracle, EndpointView endpoint) {
    IpAddress to = IpAddress.parseOrNull(endpoint.address());
    if (to == null) {
      return Optional.empty();
    }
    Optional<IpAddress> from = own.address(to.family());
    int protocol = IpProtocol.valueOf(endpoint.protocol()).number();
    return from.map(address -> oracle.explain(address, to, protocol, endpoint.port()))
        .filter(answer -> !answer.isAllowed())
        .map(
            answer ->
                Finding.of(
                    FindingCode.FL160,
                    asked.subject(),
                    Source.MODEL,
                    asked.values(
                        "policy",
                        policies(answer),
                        "client",
                        own.key().toString(),
                        "port",
                        Integer.toString(endpoint.port()),
                        "target",
                        endpoint.place())));
  }

  private static String policies(ConnectionExplanation answer) {
    return Words.list(
        answer.denying().stream()
            .flatMap(end -> end.isolatedBy().stream())
            .map(ObjectKey::toString)
            .toList());
  }
}
