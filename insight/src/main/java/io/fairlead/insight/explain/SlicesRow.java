package io.fairlead.insight.explain;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.client.objects.V1Service;
import io.fairlead.client.objects.V1Times;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The row `Slices`: whether what is written down about endpoints is what the pods say, and whether
/// proxies can use it.
final class SlicesRow {
  private static final String NAME = "Slices";
  private static final String MANAGER = "endpointslice.kubernetes.io/managed-by";
  private static final String OVER_CAPACITY = "endpoints.kubernetes.io/over-capacity";
  private static final Set<String> CONTROLLERS =
      Set.of("endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io");

  /// How long the controllers may take.
  private static final Duration LATE = Duration.ofSeconds(5);

  private SlicesRow() {}

  static Row of(ServiceCase asked) {
    if (asked.objects().slices() instanceof Unseen<?> unseen) {
      return Row.unknown(NAME, Words.unknown(unseen));
    }
    List<V1EndpointSlice> slices = asked.objects().slices().value().orElse(List.of());
    List<Finding> findings = new ArrayList<>();
    late(asked, slices, findings);
    foreign(asked, slices, findings);
    unusable(asked, slices, findings);
    gone(asked, slices, findings);
    truncated(asked, findings);
    boolean empty = slices.stream().allMatch(slice -> slice.endpoints().isEmpty());
    if (!asked.service().selecting().selectsPods()
        && empty
        && findings.isEmpty()
        && asked.otherProxy().isEmpty()) {
      findings.add(found(asked, FindingCode.FL134, asked.subject()));
    }
    return (findings.size() == 1 && !findings.getFirst().code().equals(FindingCode.FL132)
            ? Row.found(NAME, RowState.OK, findings.getFirst())
            : Row.of(
                NAME, slices.isEmpty() ? RowState.NONE : RowState.OK, said(slices), Source.API))
        .withFindings(findings);
  }

  private static Sentence said(List<V1EndpointSlice> slices) {
    if (slices.isEmpty()) {
      return Sentence.of("row.slices.none");
    }
    String first = slices.getFirst().metadata().name();
    return slices.size() == 1
        ? Sentence.of("row.slices.one", "slice", first)
        : Sentence.of("row.slices.many", "slice", first, "more", slices.size() - 1);
  }

  /// Ready pods that no slice has, or has as not ready.
  private static void late(
      ServiceCase asked, List<V1EndpointSlice> slices, List<Finding> findings) {
    if (!asked.service().selecting().selectsPods()) {
      return;
    }
    Map<String, Boolean> written = new HashMap<>();
    for (V1EndpointSlice slice : slices) {
      for (V1EndpointSlice.Endpoint endpoint : slice.endpoints()) {
        V1EndpointSlice.Target target = endpoint.target();
        if (target != null) {
          written.merge(target.name(), !Boolean.FALSE.equals(endpoint.ready()), Boolean::logicalOr);
        }
      }
    }
    Set<String> excluded = new HashSet<>();
    asked.excluded().forEach(each -> excluded.add(each.pod().key().name()));
    Set<String> behind = new TreeSet<>();
    Instant first = asked.evidence().now();
    for (EndpointPod pod : asked.selected()) {
      String name = pod.key().name();
      boolean shouldBeReady = !excluded.contains(name);
      boolean isReady = written.getOrDefault(name, false);
      Instant changed = pod.readyChanged().orElse(asked.evidence().now());
      boolean contradicts =
          shouldBeReady ? !isReady : isReady && !pod.ready() && !pod.terminating();
      if (contradicts
          && !asked.service().selecting().publishNotReadyAddresses()
          && changed.plus(LATE).isBefore(asked.evidence().now())) {
        behind.add(name);
        first = changed.isBefore(first) ? changed : first;
      }
    }
    if (behind.isEmpty()) {
      return;
    }
    silence(asked).ifPresent(findings::add);
    findings.add(
        found(
            asked,
            FindingCode.FL130,
            asked.subject(),
            "age",
            Words.age(Duration.between(first, asked.evidence().now())),
            "pods",
            Words.list(behind)));
  }

  /// When the controllers do not renew their Lease, the delay is theirs.
  private static Optional<Finding> silence(ServiceCase asked) {
    return asked
        .objects()
        .controllers()
        .value()
        .flatMap(found -> found)
        .flatMap(
            lease -> {
              Optional<Instant> renewed =
                  V1Times.parse(Json.textOr(lease, "", "spec", "renewTime"));
              long seconds = lease.path("spec").path("leaseDurationSeconds").asLong(15);
              return renewed.filter(at -> at.plusSeconds(seconds).isBefore(asked.evidence().now()));
            })
        .map(since -> found(asked, FindingCode.FL136, asked.subject(), "since", since.toString()));
  }

  private static void foreign(
      ServiceCase asked, List<V1EndpointSlice> slices, List<Finding> findings) {
    if (!asked.service().selecting().selectsPods()) {
      return;
    }
    Map<String, Set<String>> byManager = new HashMap<>();
    for (V1EndpointSlice slice : slices) {
      String manager = slice.metadata().labels().getOrDefault(MANAGER, "");
      if (!CONTROLLERS.contains(manager)) {
        byManager
            .computeIfAbsent(manager.isEmpty() ? "unknown" : manager, _ -> new TreeSet<>())
            .add(slice.metadata().name());
      }
    }
    byManager.forEach(
        (manager, names) ->
            findings.add(
                found(
                    asked,
                    FindingCode.FL131,
                    asked.subject(),
                    "slices",
                    Words.list(names),
                    "manager",
                    manager)));
  }

  /// Slices that a proxy leaves alone, and addresses that it refuses.
  private static void unusable(
      ServiceCase asked, List<V1EndpointSlice> slices, List<Finding> findings) {
    List<V1Service.Port> ports = asked.service().spec().spec().ports();
    for (V1EndpointSlice slice : slices) {
      boolean fits =
          slice.ports().isEmpty()
              || ports.isEmpty()
              || slice.ports().stream()
                  .anyMatch(
                      port ->
                          ports.stream()
                              .anyMatch(
                                  wanted ->
                                      wanted.name().equals(port.name())
                                          && wanted.protocol().equals(port.protocol())));
      if (!fits) {
        V1EndpointSlice.Port port = slice.ports().getFirst();
        String name = port.name();
        findings.add(
            unusable(asked, slice, "port", name == null ? "" : name + "/" + port.protocol()));
      } else if (slice.addressType().equals("FQDN")) {
        findings.add(unusable(asked, slice, "addressType", slice.addressType()));
      }
      for (V1EndpointSlice.Endpoint endpoint : slice.endpoints()) {
        endpoint.addresses().stream()
            .limit(1)
            .filter(SlicesRow::isForbidden)
            .forEach(
                address ->
                    findings.add(
                        found(
                            asked,
                            FindingCode.FL137,
                            slice(asked, slice),
                            "address",
                            address,
                            "slice",
                            slice.metadata().name())));
      }
    }
    for (V1EndpointSlice stray : asked.objects().strays().value().orElse(List.of())) {
      findings.add(unusable(asked, stray, "label", V1EndpointSlice.SERVICE_LABEL));
    }
  }

  private static boolean isForbidden(String text) {
    IpAddress address = IpAddress.parseOrNull(text);
    return address != null
        && (address.isLoopback()
            || address.isLinkLocalUnicast()
            || address.isMulticast()
            || address.isUnspecified());
  }

  private static Finding unusable(
      ServiceCase asked, V1EndpointSlice slice, String what, String value) {
    return found(
        asked,
        FindingCode.FL133,
        slice(asked, slice),
        "slice",
        slice.metadata().name(),
        "what",
        what,
        "value",
        value);
  }

  /// Endpoints whose pods the API does not have.
  private static void gone(
      ServiceCase asked, List<V1EndpointSlice> slices, List<Finding> findings) {
    if (!asked.objects().pods().isSeen() || !asked.service().selecting().selectsPods()) {
      return;
    }
    Set<String> known = new HashSet<>();
    for (V1Pod pod : asked.objects().pods().value().orElse(List.of())) {
      known.add(pod.metadata().name());
    }
    for (V1EndpointSlice slice : slices) {
      Instant changed =
          V1Times.parse(slice.annotations().getOrDefault(V1EndpointSlice.TRIGGER_ANNOTATION, ""))
              .orElse(Instant.EPOCH);
      if (!changed.plus(LATE).isBefore(asked.evidence().now())) {
        continue;
      }
      for (V1EndpointSlice.Endpoint endpoint : slice.endpoints()) {
        V1EndpointSlice.Target target = endpoint.target();
        if (target != null && target.kind().equals("Pod") && !known.contains(target.name())) {
          findings.add(
              found(
                  asked,
                  FindingCode.FL135,
                  slice(asked, slice),
                  "address",
                  endpoint.addresses().isEmpty() ? "" : endpoint.addresses().getFirst(),
                  "pod",
                  target.name()));
        }
      }
    }
  }

  private static void truncated(ServiceCase asked, List<Finding> findings) {
    asked
        .objects()
        .endpoints()
        .value()
        .flatMap(found -> found)
        .map(object -> Json.at(object, "metadata", "annotations").path(OVER_CAPACITY))
        .filter(cut -> cut.asString("").equals("truncated"))
        .ifPresent(_ -> findings.add(found(asked, FindingCode.FL132, asked.subject())));
  }

  private static Subject slice(ServiceCase asked, V1EndpointSlice slice) {
    return new Subject(
        Subject.Kind.SLICE, asked.service().key().namespace(), slice.metadata().name());
  }

  private static Finding found(
      ServiceCase asked, FindingCode code, Subject subject, String... values) {
    return Finding.of(code, subject, Source.API, asked.values(values));
  }
}
