package io.fairlead.app.command.inspect;

import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.text.Columns;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.history.ClockFindings;
import io.fairlead.insight.history.HistoryChange;
import io.fairlead.insight.history.HistoryChange.NodeTime;
import io.fairlead.insight.history.HistoryEvidence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A history as a table for people.
final class HistoryText {
  /// With more nodes, columns of their own would not fit.
  private static final int MOST_COLUMNS = 6;

  private final InspectSession session;
  private final CommandContext context;

  HistoryText(InspectSession session) {
    this.session = session;
    this.context = session.context();
  }

  void table(List<HistoryChange> changes, HistoryEvidence evidence) {
    if (changes.isEmpty()) {
      context.terminal().out().println(context.text("history.none"));
    } else {
      List<List<String>> rows = new ArrayList<>();
      rows.add(header(evidence));
      changes.forEach(change -> rows.add(row(change, evidence)));
      context.terminal().out().print(Columns.table("", rows));
    }
    findings(evidence);
    context.terminal().out().println(summary(changes, evidence));
  }

  void lines(List<HistoryChange> changes, HistoryEvidence evidence) {
    context
        .terminal()
        .out()
        .print(Columns.table("", changes.stream().map(change -> row(change, evidence)).toList()));
  }

  private boolean isWide(HistoryEvidence evidence) {
    return evidence.asked().size() > MOST_COLUMNS;
  }

  private List<String> header(HistoryEvidence evidence) {
    List<String> names = new ArrayList<>(List.of("TIME", "WHAT", "WHY"));
    if (!evidence.isApiAlone()) {
      names.add("SLICE");
      names.addAll(
          isWide(evidence) ? List.of("FASTEST", "MEDIAN", "SLOWEST", "NODE") : evidence.asked());
    }
    return names;
  }

  private List<String> row(HistoryChange change, HistoryEvidence evidence) {
    List<String> cells = new ArrayList<>();
    cells.add(ShownTimes.time(change.at(), context.clock().instant()));
    String service =
        evidence.service().isEmpty() && !change.service().isEmpty() ? change.service() + " " : "";
    cells.add(service + session.texts().text(change.what()));
    cells.add(session.texts().text(change.why()));
    if (evidence.isApiAlone()) {
      return cells;
    }
    cells.add(change.slice().map(slice -> after(slice.after())).orElse("–"));
    if (isWide(evidence)) {
      cells.addAll(spread(change));
    } else {
      change.nodes().forEach(node -> cells.add(cell(node)));
    }
    return cells;
  }

  private static String cell(NodeTime node) {
    return switch (node.state()) {
      case APPLIED -> node.after().map(HistoryText::after).orElse("?");
      case NOT_YET -> "…";
      case UNKNOWN -> "?";
      case NONE -> "–";
    };
  }

  private static List<String> spread(HistoryChange change) {
    List<NodeTime> applied =
        change.nodes().stream()
            .filter(node -> node.after().isPresent())
            .sorted(Comparator.comparing(node -> node.after().orElseThrow()))
            .toList();
    if (applied.isEmpty()) {
      return List.of("?", "?", "?", "");
    }
    return List.of(
        cell(applied.getFirst()),
        cell(applied.get(applied.size() / 2)),
        cell(applied.getLast()),
        applied.getLast().node());
  }

  private static String after(Duration time) {
    return "+" + ShownTimes.duration(time.toMillis());
  }

  private void findings(HistoryEvidence evidence) {
    for (Finding finding : ClockFindings.of(evidence.nodes())) {
      context
          .terminal()
          .out()
          .println(
              context.terminal().mark(Mark.WARNING)
                  + " "
                  + session.texts().text(finding.sentence())
                  + "  "
                  + finding.code());
    }
  }

  private String summary(List<HistoryChange> changes, HistoryEvidence evidence) {
    if (evidence.isApiAlone()) {
      return context.text("history.apiAlone");
    }
    Optional<NodeTime> slowest =
        changes.stream()
            .flatMap(change -> change.nodes().stream())
            .filter(node -> node.after().isPresent())
            .max(Comparator.comparing(node -> node.after().orElseThrow()));
    String count =
        slowest
            .map(
                node ->
                    context.text(
                        "history.count.slowest",
                        changes.size(),
                        node.node(),
                        ShownTimes.duration(node.after().orElseThrow().toMillis())))
            .orElseGet(() -> context.text("history.count", changes.size()));
    return count
        + "   "
        + context.text("history.from", evidence.nodes().size(), evidence.asked().size());
  }
}
