package io.fairlead.app.command.inspect;

import io.fairlead.api.schema.Durations;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.command.explain.ExplainTarget;
import io.fairlead.client.ObjectKey;
import io.fairlead.insight.gather.HistoryGathering;
import io.fairlead.insight.history.ClockFindings;
import io.fairlead.insight.history.HistoryChange;
import io.fairlead.insight.history.HistoryDocument;
import io.fairlead.insight.history.HistoryEvidence;
import io.fairlead.insight.history.HistoryJoin;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// `fairlead history [svc/NAME]`: what changed, when, why, and how long each node took.
public final class HistoryCommand implements Command {
  private static final Duration LIMIT = Duration.ofSeconds(15);
  private static final Duration AGAIN = Duration.ofSeconds(2);

  @Override
  public int run(Arguments arguments, CommandContext context) {
    try (InspectSession session = InspectSession.open(arguments, context)) {
      Instant since = since(arguments.text("since"), context.clock().instant());
      String service = "";
      String namespace = session.namespace();
      if (!arguments.operands().isEmpty()) {
        ObjectKey key = session.operand(0, ExplainTarget.Kind.SERVICE, "svc/NAME");
        service = key.name();
        namespace = key.namespace();
      }
      HistoryGathering.Wanted wanted =
          new HistoryGathering.Wanted(
              since,
              namespace,
              service,
              arguments.find("node").map(List::of).orElseGet(session::nodes));
      HistoryGathering gathering = new HistoryGathering(session.sources(), context.clock(), LIMIT);
      HistoryEvidence evidence = gathering.gather(wanted);
      List<HistoryChange> changes = HistoryJoin.of(evidence);
      HistoryText text = new HistoryText(session);
      if (!session.print(
          HistoryDocument.of(
              changes, evidence, ClockFindings.of(evidence.nodes()), context.clock().instant()))) {
        text.table(changes, evidence);
      }
      if (!arguments.on("watch")) {
        return ExitCode.FINE;
      }
      return follow(gathering, wanted, changes, text);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED;
    }
  }

  /// Goes on until it is interrupted. A line is printed once all nodes have followed, or not before
  /// the next look.
  private static int follow(
      HistoryGathering gathering,
      HistoryGathering.Wanted wanted,
      List<HistoryChange> shown,
      HistoryText text)
      throws InterruptedException {
    Set<String> known = new HashSet<>();
    shown.forEach(change -> known.add(key(change)));
    while (true) {
      Pacer.system().pause(AGAIN);
      HistoryEvidence evidence = gathering.gather(wanted);
      List<HistoryChange> fresh =
          HistoryJoin.of(evidence).stream().filter(change -> known.add(key(change))).toList();
      if (!fresh.isEmpty()) {
        text.lines(fresh, evidence);
      }
    }
  }

  private static String key(HistoryChange change) {
    return change.at() + change.kind() + change.what();
  }

  /// `30m` or a time.
  static Instant since(String text, Instant now) {
    Long nanos = Durations.nanoseconds(text);
    if (nanos != null) {
      return now.minusNanos(nanos);
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new FairleadException(
          ErrorCode.FL303, "--since", text, "a duration like 30m, or a time");
    }
  }
}
