package io.fairlead.insight.explain;

import io.fairlead.api.json.Json;
import io.fairlead.controller.serving.EndpointReason;
import io.fairlead.controller.serving.ExcludedPod;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.Owner;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// The row `Selector`: which pods the Service picks, and when it picks none, why.
final class SelectorRow {
  private static final String NAME = "Selector";

  private SelectorRow() {}

  static Row of(ServiceCase asked) {
    if (!asked.service().selecting().selectsPods()) {
      return Row.found(NAME, RowState.NONE, found(asked, FindingCode.FL103));
    }
    Evidence<?> pods = asked.objects().pods();
    if (pods instanceof Unseen<?> unseen) {
      return Row.unknown(NAME, Words.unknown(unseen));
    }
    int count = asked.selected().size();
    if (count > 0) {
      Sentence said =
          Sentence.of(
              count == 1 ? "row.selector.one" : "row.selector.many",
              "selector",
              asked.service().selector(),
              "count",
              count);
      return Row.of(NAME, RowState.OK, said, Source.API);
    }
    return Row.found(NAME, RowState.OK, none(asked));
  }

  private static Finding none(ServiceCase asked) {
    Optional<Owner> idle =
        asked.objects().owners().value().orElse(List.of()).stream()
            .filter(owner -> asked.service().selecting().selects(owner.labels()))
            .filter(owner -> owner.replicas() == 0)
            .min(Comparator.comparing(Owner::kind));
    if (idle.isPresent()) {
      String owner = idle.get().kind() + "/" + idle.get().name();
      return found(asked, FindingCode.FL106, "owner", owner);
    }
    if (!asked.nearly().isEmpty()) {
      return nearest(asked);
    }
    List<String> others = asked.objects().elsewhere().value().orElse(List.of());
    if (!others.isEmpty()) {
      return found(
          asked, FindingCode.FL104, "others", Words.list(others), "other", others.getFirst());
    }
    return found(asked, FindingCode.FL105);
  }

  /// One way to miss the selector.
  private record Miss(String key, Optional<String> has) {}

  /// The way that most pods miss it.
  private static Finding nearest(ServiceCase asked) {
    Map<Miss, List<ExcludedPod>> ways =
        asked.nearly().stream().collect(Collectors.groupingBy(SelectorRow::miss));
    Map.Entry<Miss, List<ExcludedPod>> usual =
        ways.entrySet().stream()
            .max(
                Comparator.<Map.Entry<Miss, List<ExcludedPod>>>comparingInt(
                        way -> way.getValue().size())
                    .thenComparing(way -> way.getKey().key(), Comparator.reverseOrder()))
            .orElseThrow();
    Miss miss = usual.getKey();
    Map<String, String> labels = usual.getValue().getFirst().pod().labels();
    String wanted = asked.service().selecting().selector().getOrDefault(miss.key(), "");
    ObjectNode patch = Json.object();
    if (miss.has().isPresent()) {
      patch.put(miss.key(), miss.has().get());
    } else {
      patch.putNull(miss.key());
      labels.forEach(
          (key, value) -> {
            if (value.equals(wanted)) {
              patch.put(key, value);
            }
          });
    }
    return found(
        asked,
        FindingCode.FL102,
        "count",
        Integer.toString(usual.getValue().size()),
        "labels",
        miss.has().map(has -> miss.key() + "=" + has).orElseGet(() -> shown(labels)),
        "key",
        miss.key(),
        "patch",
        patch.toString());
  }

  private static Miss miss(ExcludedPod pod) {
    return pod.reasons().getFirst()
            instanceof EndpointReason.NearlySelected(String key, _, Optional<String> has)
        ? new Miss(key, has)
        : new Miss("", Optional.empty());
  }

  private static String shown(Map<String, String> labels) {
    return new TreeMap<>(labels)
        .entrySet().stream()
            .filter(label -> !label.getKey().equals("pod-template-hash"))
            .map(label -> label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining(","));
  }

  private static Finding found(ServiceCase asked, FindingCode code, String... values) {
    Map<String, String> all = asked.values(values);
    all.put("selector", asked.service().selector());
    return Finding.of(code, asked.subject(), Source.API, all);
  }
}
