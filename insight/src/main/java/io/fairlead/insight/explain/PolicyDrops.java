package io.fairlead.insight.explain;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.insight.evidence.PolicyEvidence;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.PolicyPod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The row `Drops`: packets that the nodes dropped because of a policy, as they remember them. It
/// is a note: to drop is what a policy is for.
final class PolicyDrops {
  private static final int SHOWN = 5;

  private final PolicyEvidence evidence;
  private final NetworkPolicy policy;
  private final Map<IpAddress, String> names = new HashMap<>();

  PolicyDrops(PolicyEvidence evidence, NetworkPolicy policy, List<PolicyPod> pods) {
    this.evidence = evidence;
    this.policy = policy;
    for (PolicyPod pod : pods) {
      if (!pod.finished() && !pod.hostNetwork()) {
        pod.addresses().forEach(address -> names.put(address, pod.key().toString()));
      }
    }
  }

  /// Empty when no node was asked, or none could tell.
  Optional<Row> row() {
    List<JsonNode> drops = new ArrayList<>();
    boolean told = false;
    for (var answer : evidence.drops().values()) {
      Optional<ObjectNode> document = answer.value();
      told |= document.isPresent();
      document.ifPresent(
          found -> found.path("drops").valueStream().filter(this::isOurs).forEach(drops::add));
    }
    if (!told) {
      return Optional.empty();
    }
    drops.sort(Comparator.comparing((JsonNode drop) -> Json.textOr(drop, "", "time")).reversed());
    long packets = drops.stream().mapToLong(drop -> drop.path("count").asLong(0)).sum();
    Sentence said =
        drops.isEmpty()
            ? Sentence.of("row.policy.nodrops")
            : new Sentence(
                "row.policy.drops",
                Map.of(
                    "packets", Long.toString(packets),
                    "count", Integer.toString(drops.size()),
                    "last", Json.textOr(drops.getFirst(), "", "time")));
    return Optional.of(
        Row.of("Drops", RowState.NONE, said, Source.KERNEL)
            .withFindings(drops.stream().limit(SHOWN).map(this::finding).toList()));
  }

  private boolean isOurs(JsonNode drop) {
    return drop.path("policies")
        .valueStream()
        .anyMatch(each -> each.asString("").equals(policy.key().toString()));
  }

  private Finding finding(JsonNode drop) {
    int port = drop.path("port").asInt(0);
    String protocol = Json.textOr(drop, "", "protocol");
    String target = name(Json.textOr(drop, "", "destination"));
    String asked = port == 0 ? target + "/" + protocol : target + ":" + port + "/" + protocol;
    Map<String, String> values = new TreeMap<>();
    values.put("policy", policy.key().toString());
    values.put("client", name(Json.textOr(drop, "", "source")));
    values.put("port", asked);
    values.put("target", asked);
    return Finding.of(
            FindingCode.FL160,
            Subject.policy(policy.namespace(), policy.key().name()),
            Source.KERNEL,
            values)
        .as(Severity.NOTE);
  }

  private String name(String address) {
    IpAddress parsed = IpAddress.parseOrNull(address);
    return parsed == null ? address : names.getOrDefault(parsed, address);
  }
}
