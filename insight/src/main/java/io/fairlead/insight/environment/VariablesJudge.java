package io.fairlead.insight.environment;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.objects.V1Times;
import io.fairlead.insight.environment.VariablesReport.Missing;
import io.fairlead.insight.environment.VariablesReport.Started;
import io.fairlead.insight.environment.VariablesReport.Variable;
import io.fairlead.insight.environment.VariablesReport.Wrong;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Subject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Judges the Service variables of a pod. Pure.
public final class VariablesJudge {
  /// More than this is worth a word: 64 KiB.
  private static final long MUCH = 64L << 10;

  /// What arguments and environment may take together where the stack may take 8 MiB: a quarter.
  private static final long LIMIT = 2L << 20;

  private final VariablesEvidence evidence;
  private final ObjectKey pod;
  private final boolean links;
  private final List<ServiceFacts> services;
  private final List<Finding> findings = new ArrayList<>();

  private VariablesJudge(VariablesEvidence evidence) {
    this.evidence = evidence;
    this.pod = ObjectKey.of(evidence.pod());
    this.links = evidence.pod().path("spec").path("enableServiceLinks").asBoolean(true);
    this.services = seen();
  }

  /// @param only the name of the Service asked for; empty for all
  public static VariablesReport judge(VariablesEvidence evidence, String only) {
    return new VariablesJudge(evidence).report(only);
  }

  /// Those of its namespace when it wants links; always the API's own, unless its namespace has one
  /// of that name.
  private List<ServiceFacts> seen() {
    Map<String, ServiceFacts> byName = new TreeMap<>();
    for (ServiceFacts service : evidence.services()) {
      if (VariableNaming.of(service).isEmpty()) {
        continue;
      }
      ObjectKey key = service.key();
      boolean own = key.namespace().equals(pod.namespace());
      if (own && links) {
        byName.put(key.name(), service);
      } else if (key.equals(new ObjectKey("default", "kubernetes"))) {
        byName.putIfAbsent(key.name(), service);
      }
    }
    return List.copyOf(byName.values());
  }

  private VariablesReport report(String only) {
    Optional<Map<String, Map<String, String>>> given =
        evidence.given().value().filter(each -> !each.isEmpty());
    Source source = given.isPresent() ? Source.RECORD : Source.MODEL;
    Map<String, String> has = given.map(VariablesJudge::united).orElseGet(this::modelled);
    Map<String, String> owners = new HashMap<>();
    services.forEach(
        service ->
            VariableNaming.of(service)
                .keySet()
                .forEach(name -> owners.putIfAbsent(name, service.key().name())));
    List<Variable> variables = new ArrayList<>();
    has.forEach(
        (name, value) -> variables.add(new Variable(name, value, owners.getOrDefault(name, ""))));
    List<Missing> missing = missing(has, source);
    List<Wrong> wrong = wrong(has, source);
    claims(only);
    size(has, source);
    if (!links) {
      found(FindingCode.FL172, Source.API, Map.of());
    }
    findings.sort(Finding.GRAVEST_FIRST);
    return new VariablesReport(
        pod,
        started(),
        variables.stream()
            .filter(each -> only.isEmpty() || each.service().equals(only))
            .sorted(Comparator.comparing(Variable::service))
            .toList(),
        missing.stream().filter(each -> only.isEmpty() || each.service().equals(only)).toList(),
        wrong,
        source,
        bytes(has),
        LIMIT,
        findings);
  }

  /// Containers differ when one was restarted; what any of them has is there.
  private static Map<String, String> united(Map<String, Map<String, String>> given) {
    Map<String, String> all = new TreeMap<>();
    given.values().forEach(all::putAll);
    return all;
  }

  /// What a node gives: the Services that were there before the first container started.
  private Map<String, String> modelled() {
    Map<String, String> all = new TreeMap<>();
    Instant start = firstStart();
    for (ServiceFacts service : services) {
      boolean older =
          V1Times.parse(service.spec().creationTimestamp())
              .map(made -> !made.isAfter(start))
              .orElse(true);
      if (older) {
        all.putAll(VariableNaming.of(service));
      }
    }
    return all;
  }

  private List<Missing> missing(Map<String, String> has, Source source) {
    List<Missing> missing = new ArrayList<>();
    for (ServiceFacts service : services) {
      Map<String, String> names = VariableNaming.of(service);
      if (!has.containsKey(VariableNaming.host(service))) {
        missing.add(new Missing(service.key().name(), names.size(), FindingCode.FL170));
        found(
            FindingCode.FL170,
            source,
            Map.of(
                "namespace",
                pod.namespace(),
                "name",
                service.key().name(),
                "count",
                "1",
                "variable",
                VariableNaming.host(service),
                "pods",
                pod.name()));
      }
    }
    return missing;
  }

  private List<Wrong> wrong(Map<String, String> has, Source source) {
    List<Wrong> wrong = new ArrayList<>();
    for (ServiceFacts service : services) {
      Map<String, String> wanted = VariableNaming.of(service);
      for (String name : List.of(VariableNaming.host(service), VariableNaming.port(service))) {
        String value = has.get(name);
        String now = wanted.getOrDefault(name, "");
        if (value != null && !value.equals(now)) {
          wrong.add(new Wrong(name, value, now, FindingCode.FL173));
          found(
              FindingCode.FL173,
              source,
              Map.of(
                  "namespace",
                  pod.namespace(),
                  "name",
                  service.key().name(),
                  "variable",
                  name,
                  "has",
                  value,
                  "wanted",
                  now));
        }
      }
    }
    return wrong;
  }

  /// Variables that two Services give, or that a container sets by itself.
  private void claims(String only) {
    Map<String, TreeSet<String>> claimants = new TreeMap<>();
    for (ServiceFacts service : services) {
      VariableNaming.of(service)
          .keySet()
          .forEach(
              name ->
                  claimants.computeIfAbsent(name, _ -> new TreeSet<>()).add(service.key().name()));
    }
    for (JsonNode container : evidence.pod().path("spec").path("containers")) {
      for (JsonNode variable : container.path("env")) {
        TreeSet<String> claims = claimants.get(Json.textOr(variable, "", "name"));
        if (claims != null) {
          claims.add("env of " + Json.textOr(container, "", "name"));
        }
      }
    }
    claimants.forEach(
        (name, claims) -> {
          if (claims.size() > 1 && (only.isEmpty() || claims.contains(only))) {
            found(
                FindingCode.FL174,
                Source.API,
                Map.of("variable", name, "claims", String.join(", ", claims)));
          }
        });
  }

  private void size(Map<String, String> has, Source source) {
    long bytes = bytes(has);
    if (bytes > Math.min(MUCH, LIMIT / 4)) {
      found(FindingCode.FL171, source, Map.of("size", kilobytes(bytes), "limit", kilobytes(LIMIT)));
    }
  }

  /// `4.1 kB`.
  public static String kilobytes(long bytes) {
    return String.format(java.util.Locale.ROOT, "%.1f kB", bytes / 1000.0);
  }

  /// As the kernel counts them: `NAME=value` and a zero behind it.
  private static long bytes(Map<String, String> variables) {
    return variables.entrySet().stream()
        .mapToLong(
            each ->
                each.getKey().getBytes(StandardCharsets.UTF_8).length
                    + each.getValue().getBytes(StandardCharsets.UTF_8).length
                    + 2L)
        .sum();
  }

  private List<Started> started() {
    List<Started> all = new ArrayList<>();
    for (JsonNode container : evidence.pod().path("spec").path("containers")) {
      String name = Json.textOr(container, "", "name");
      all.add(new Started(name, startOf(evidence.pod(), name)));
    }
    return all;
  }

  private static String startOf(ObjectNode pod, String container) {
    for (JsonNode status : pod.path("status").path("containerStatuses")) {
      if (Json.textOr(status, "", "name").equals(container)) {
        return Json.textOr(status, "", "state", "running", "startedAt");
      }
    }
    return "";
  }

  private Instant firstStart() {
    return started().stream()
        .flatMap(each -> V1Times.parse(each.at()).stream())
        .min(Comparator.naturalOrder())
        .orElse(Instant.MAX);
  }

  private void found(FindingCode code, Source source, Map<String, String> values) {
    Map<String, String> all = new TreeMap<>(values);
    all.put("pod", pod.name());
    findings.add(Finding.of(code, Subject.pod(pod.namespace(), pod.name()), source, all));
  }
}
