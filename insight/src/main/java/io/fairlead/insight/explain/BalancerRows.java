package io.fairlead.insight.explain;

import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.proxy.announce.AnnouncementOverview;
import io.fairlead.proxy.announce.AnnouncementOverview.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The rows `Address`, `Announce` and `Outside`: the load balancer addresses that Fairlead gave a
/// Service, who tells the network of them, and from where they are reached. Left out for others.
final class BalancerRows {
  private static final String LOCAL = "local";

  private BalancerRows() {}

  static List<Row> of(ServiceCase asked) {
    List<Row> rows = new ArrayList<>();
    if (asked.objects().balancer() instanceof Unseen<?> unseen) {
      rows.add(Row.unknown("Announce", Words.unknown(unseen)));
    }
    for (AnnouncementOverview.Row one : asked.objects().balancer().value().orElse(List.of())) {
      if (one.state() == State.PENDING) {
        continue;
      }
      rows.add(
          row(
              "Address",
              RowState.OK,
              one.pool().isEmpty()
                  ? Sentence.of("row.address.nopool", "address", one.address())
                  : Sentence.of("row.address", "address", one.address(), "pool", one.pool())));
      switch (one.state()) {
        case ANNOUNCED -> rows.add(row("Announce", RowState.OK, announced(one)));
        case SILENT -> rows.add(row("Announce", RowState.WARNING, silent(one)));
        case ROUTED -> {
          if (one.pool().equals(LOCAL)) {
            rows.add(
                row(
                    "Outside",
                    RowState.NONE,
                    Sentence.of("row.outside.local", "address", one.address())));
          }
        }
        case PENDING -> {}
      }
    }
    return rows;
  }

  private static Sentence announced(AnnouncementOverview.Row one) {
    return Sentence.of(
        "row.announce", "address", one.address(), "nodes", String.join(", ", one.nodes()));
  }

  private static Sentence silent(AnnouncementOverview.Row one) {
    String reasons =
        one.reasons().entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(Collectors.joining(", "));
    return reasons.isEmpty()
        ? Sentence.of("row.announce.none", "address", one.address())
        : new Sentence("row.announce.why", Map.of("address", one.address(), "reasons", reasons));
  }

  private static Row row(String name, RowState state, Sentence message) {
    return Row.of(name, state, message, Source.API);
  }
}
