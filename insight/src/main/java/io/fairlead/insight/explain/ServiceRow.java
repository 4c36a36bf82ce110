package io.fairlead.insight.explain;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.objects.V1Service;
import io.fairlead.client.objects.V1Times;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The row `Service`: whether the object itself can work.
final class ServiceRow {
  /// How long a load balancer may take.
  private static final Duration BALANCER = Duration.ofSeconds(30);

  private ServiceRow() {}

  static Row of(ServiceCase asked) {
    List<Finding> findings = new ArrayList<>();
    deletion(asked, findings);
    address(asked, findings);
    if (!asked.otherProxy().isEmpty()) {
      findings.add(found(asked, FindingCode.FL109, "value", asked.otherProxy()));
    }
    alias(asked, findings);
    Row row = Row.of("Service", RowState.OK, said(asked), Source.API);
    // A single fault of the object says more than "valid".
    return findings.size() == 1 && findings.getFirst().code() != FindingCode.FL109
        ? Row.found("Service", RowState.OK, findings.getFirst())
        : row.withFindings(findings);
  }

  private static Sentence said(ServiceCase asked) {
    if (asked.service().externalName()) {
      return Sentence.of(
          "row.service.alias", "target", asked.service().spec().spec().externalName());
    }
    return Sentence.of(asked.service().headless() ? "row.service.headless" : "row.service.valid");
  }

  private static void deletion(ServiceCase asked, List<Finding> findings) {
    asked
        .service()
        .spec()
        .metadata()
        .deletionTimestamp()
        .ifPresent(
            since ->
                findings.add(
                    found(
                        asked,
                        FindingCode.FL107,
                        "since",
                        since,
                        "finalizers",
                        Words.list(asked.service().spec().metadata().finalizers()))));
  }

  private static void address(ServiceCase asked, List<Finding> findings) {
    V1Service service = asked.service().spec();
    if (asked.service().externalName()) {
      return;
    }
    if (!asked.service().headless() && asked.service().clusterIps().isEmpty()) {
      findings.add(found(asked, FindingCode.FL108, "what", "clusterIP"));
      return;
    }
    Instant created = V1Times.parse(service.creationTimestamp()).orElse(asked.evidence().now());
    if (service.spec().type().equals("LoadBalancer")
        && service.ingress().isEmpty()
        && created.plus(BALANCER).isBefore(asked.evidence().now())) {
      findings.add(found(asked, FindingCode.FL108, "what", "loadBalancer"));
    }
  }

  private static void alias(ServiceCase asked, List<Finding> findings) {
    if (!asked.service().externalName()) {
      return;
    }
    String target = asked.service().spec().spec().externalName().replaceFirst("\\.$", "");
    if (IpAddress.parseOrNull(target) != null) {
      findings.add(found(asked, FindingCode.FL154, "value", target, "what", "address"));
    } else if (isSelf(asked, target)) {
      findings.add(found(asked, FindingCode.FL154, "value", target, "what", "loop"));
    }
  }

  /// Whether an alias leads to its own name, by itself or by what the DNS server followed.
  private static boolean isSelf(ServiceCase asked, String target) {
    String own = asked.service().key().name() + "." + asked.service().key().namespace() + ".svc.";
    return target.startsWith(own)
        || asked
            .evidence()
            .name()
            .value()
            .filter(answer -> answer.aliases().contains(answer.name().replaceFirst("\\.$", "")))
            .isPresent();
  }

  private static Finding found(ServiceCase asked, FindingCode code, String... values) {
    return Finding.of(code, asked.subject(), Source.API, asked.values(values));
  }
}
