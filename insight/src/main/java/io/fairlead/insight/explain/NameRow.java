package io.fairlead.insight.explain;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.objects.V1Times;
import io.fairlead.insight.evidence.NameAnswer;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.node.ObjectNode;

/// The row `DNS`: whether the Service's name gives what the API says.
final class NameRow {
  private static final String NAME = "DNS";

  /// How long the DNS server may take to follow the API.
  private static final Duration LATE = Duration.ofSeconds(2);

  private NameRow() {}

  static Row of(ServiceCase asked) {
    List<Finding> findings = new ArrayList<>();
    resolver(asked).ifPresent(findings::add);
    if (asked.objects().dnsEndpoints().value().orElse(1) == 0) {
      findings.add(
          Finding.of(
              FindingCode.FL159,
              Subject.service("kube-system", "kube-dns"),
              Source.API,
              asked.values()));
    }
    if (asked.evidence().name() instanceof Unseen<NameAnswer> unseen) {
      return Row.unknown(NAME, Words.unknown(unseen)).withFindings(findings);
    }
    NameAnswer answer = asked.evidence().name().value().orElseThrow();
    judge(asked, answer).ifPresent(findings::add);
    if (asked.service().headless() && findings.isEmpty()) {
      findings.add(found(asked, FindingCode.FL155, answer));
    }
    Row row =
        findings.size() == 1 && findings.getFirst().code() != FindingCode.FL155
            ? Row.found(NAME, RowState.OK, findings.getFirst())
            : Row.of(NAME, RowState.OK, said(answer), Source.PROBE);
    return row.withFindings(findings);
  }

  private static Sentence said(NameAnswer answer) {
    String name = answer.name().replaceFirst("\\.$", "");
    if (!answer.aliases().isEmpty()) {
      return Sentence.of("row.dns.alias", "fqdn", name, "target", answer.aliases().getFirst());
    }
    return new Sentence(
        "row.dns.answer",
        Map.of(
            "fqdn",
            name,
            "addresses",
            answer.addresses().isEmpty() ? "–" : Words.list(answer.addresses()),
            "ttl",
            Integer.toString(answer.ttl())));
  }

  private static Optional<Finding> judge(ServiceCase asked, NameAnswer answer) {
    if (answer.rcode().equals(NameAnswer.NO_ANSWER)) {
      return Optional.of(found(asked, FindingCode.FL150, answer));
    }
    if (asked.service().externalName()) {
      // The target may be outside of the cluster; only a denial proves something.
      return answer.aliases().isEmpty() && !answer.rcode().equals("NOERROR")
          ? Optional.of(
              found(
                  asked,
                  FindingCode.FL154,
                  answer,
                  "value",
                  asked.service().spec().spec().externalName(),
                  "what",
                  "unresolved"))
          : Optional.empty();
    }
    Instant created =
        V1Times.parse(asked.service().spec().creationTimestamp()).orElse(Instant.EPOCH);
    if (!created.plus(LATE).isBefore(asked.evidence().now())) {
      return Optional.empty();
    }
    Set<String> wanted = wanted(asked);
    if (asked.service().headless() && wanted.isEmpty()) {
      return Optional.of(found(asked, FindingCode.FL158, answer));
    }
    if (!answer.rcode().equals("NOERROR")) {
      return Optional.of(found(asked, FindingCode.FL156, answer, "rcode", answer.rcode()));
    }
    Set<String> has = new TreeSet<>();
    answer.addresses().forEach(each -> has.add(canonical(each)));
    if (has.equals(wanted)) {
      return Optional.empty();
    }
    Set<String> both = new TreeSet<>(has);
    both.retainAll(wanted);
    return Optional.of(
        found(
                asked,
                FindingCode.FL157,
                answer,
                "has",
                has.isEmpty() ? "–" : Words.list(has),
                "wanted",
                Words.list(wanted))
            .as(both.isEmpty() ? Severity.FAULT : Severity.WARNING));
  }

  private static Set<String> wanted(ServiceCase asked) {
    Set<String> wanted = new TreeSet<>();
    if (asked.service().headless()) {
      asked.serving().forEach(each -> wanted.add(canonical(each.address())));
    } else {
      asked.service().clusterIps().forEach(each -> wanted.add(canonical(each)));
    }
    return wanted;
  }

  private static String canonical(String text) {
    IpAddress address = IpAddress.parseLenientOrNull(text);
    return address == null ? text : address.toString();
  }

  /// A client that does not ask the cluster's server at all.
  private static Optional<Finding> resolver(ServiceCase asked) {
    Optional<ServiceEvidence.Client> client = asked.evidence().client();
    Optional<ObjectNode> pod = client.flatMap(ServiceEvidence.Client::pod);
    if (pod.isEmpty()) {
      return Optional.empty();
    }
    String policy = Json.textOr(pod.get(), "ClusterFirst", "spec", "dnsPolicy");
    boolean host = pod.get().path("spec").path("hostNetwork").asBoolean(false);
    if (!policy.equals("Default") && !(host && policy.equals("ClusterFirst"))) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.of(
            FindingCode.FL152,
            Subject.pod(Json.textOr(pod.get(), "", "metadata", "namespace"), client.get().name()),
            Source.API,
            asked.values(
                "pod",
                client.get().name(),
                "server",
                "node",
                "expected",
                asked.evidence().name().value().map(NameAnswer::server).orElse("kube-dns"))));
  }

  private static Finding found(
      ServiceCase asked, FindingCode code, NameAnswer answer, String... values) {
    Map<String, String> all = asked.values(values);
    all.put("server", answer.server());
    all.put("fqdn", answer.name().replaceFirst("\\.$", ""));
    all.put("selector", asked.service().selector());
    return Finding.of(code, asked.subject(), Source.PROBE, all);
  }
}
