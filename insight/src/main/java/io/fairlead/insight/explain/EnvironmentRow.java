package io.fairlead.insight.explain;

import io.fairlead.api.json.Json;
import io.fairlead.client.objects.V1Times;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The row `Env`: whether pods of the namespace have the Service's variables. Left out when there
/// is nothing to say.
final class EnvironmentRow {
  private static final String NAME = "Env";
  private static final String SERVICE = "-service";

  private EnvironmentRow() {}

  static Optional<Row> of(ServiceCase asked) {
    if (asked.service().clusterIps().isEmpty()) {
      return Optional.empty();
    }
    List<Finding> findings = new ArrayList<>();
    older(asked).ifPresent(findings::add);
    claims(asked).ifPresent(findings::add);
    return findings.stream()
        .min(Finding.GRAVEST_FIRST)
        .map(first -> Row.found(NAME, RowState.NONE, first).withFindings(findings));
  }

  /// The name of the variable with the Service's address.
  static String variable(String service) {
    return prefix(service) + "_SERVICE_HOST";
  }

  static String prefix(String service) {
    return service.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /// Pods that were started before the Service was made, without those that are its own.
  private static Optional<Finding> older(ServiceCase asked) {
    Optional<Instant> created = V1Times.parse(asked.service().spec().creationTimestamp());
    if (created.isEmpty()) {
      return Optional.empty();
    }
    Set<String> own = new TreeSet<>();
    asked.selected().forEach(pod -> own.add(pod.key().name()));
    Set<String> pods = new TreeSet<>();
    for (ObjectNode pod : asked.objects().neighbours().value().orElse(List.of())) {
      String name = Json.textOr(pod, "", "metadata", "name");
      if (!own.contains(name) && wants(pod) && started(pod).isBefore(created.get())) {
        pods.add(name);
      }
    }
    if (pods.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.of(
            FindingCode.FL170,
            asked.subject(),
            Source.API,
            asked.values(
                "count",
                Integer.toString(pods.size()),
                "variable",
                variable(asked.service().key().name()),
                "pods",
                Words.list(pods))));
  }

  private static boolean wants(ObjectNode pod) {
    String phase = Json.textOr(pod, "", "status", "phase");
    return pod.path("spec").path("enableServiceLinks").asBoolean(true) && phase.equals("Running");
  }

  /// When its first container started; never, when none has.
  private static Instant started(ObjectNode pod) {
    Instant first = Instant.MAX;
    for (JsonNode container : pod.path("status").path("containerStatuses")) {
      Instant at =
          V1Times.parse(Json.textOr(container, "", "state", "running", "startedAt"))
              .orElse(Instant.MAX);
      first = at.isBefore(first) ? at : first;
    }
    return first;
  }

  /// Another Service that gives the same variable, or a container that sets it itself.
  private static Optional<Finding> claims(ServiceCase asked) {
    String name = asked.service().key().name();
    Set<String> others = Set.copyOf(asked.objects().services().value().orElse(List.of()));
    // The variable X_SERVICE_PORT is of the Service x, and of x-service in the older form.
    String shorter =
        name.endsWith(SERVICE) ? name.substring(0, name.length() - SERVICE.length()) : name;
    String other = name.endsWith(SERVICE) ? shorter : name + SERVICE;
    if (others.contains(other)) {
      return Optional.of(
          claimed(asked, prefix(shorter) + "_SERVICE_PORT", Words.list(List.of(name, other))));
    }
    Set<String> own =
        Set.of(
            prefix(name) + "_SERVICE_HOST", prefix(name) + "_SERVICE_PORT", prefix(name) + "_PORT");
    for (ObjectNode pod : asked.objects().neighbours().value().orElse(List.of())) {
      for (JsonNode container : pod.path("spec").path("containers")) {
        for (JsonNode variable : container.path("env")) {
          String set = Json.textOr(variable, "", "name");
          if (own.contains(set) && wants(pod)) {
            return Optional.of(
                claimed(asked, set, name + ", " + Json.textOr(pod, "", "metadata", "name")));
          }
        }
      }
    }
    return Optional.empty();
  }

  private static Finding claimed(ServiceCase asked, String variable, String claims) {
    return Finding.of(
        FindingCode.FL174,
        asked.subject(),
        Source.API,
        asked.values("variable", variable, "claims", claims));
  }
}
