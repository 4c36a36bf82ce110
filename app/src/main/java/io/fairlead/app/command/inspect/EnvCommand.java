package io.fairlead.app.command.inspect;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.command.explain.ExplainTarget;
import io.fairlead.app.text.Columns;
import io.fairlead.client.ObjectKey;
import io.fairlead.insight.environment.VariablesDocument;
import io.fairlead.insight.environment.VariablesJudge;
import io.fairlead.insight.environment.VariablesReport;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.gather.VariablesGathering;

/// `fairlead env pod/NAME [svc/NAME]`: the Service variables of a pod, and why some are missing.
public final class EnvCommand implements Command {
  private static final int SOURCE_COLUMN = 99;

  @Override
  public int run(Arguments arguments, CommandContext context) {
    try (InspectSession session = InspectSession.open(arguments, context)) {
      ObjectKey pod = session.operand(0, ExplainTarget.Kind.POD, "pod/NAME");
      String only =
          arguments.operands().size() < 2
              ? ""
              : session.operand(1, ExplainTarget.Kind.SERVICE, "svc/NAME").name();
      VariablesReport report =
          session
              .seen(new VariablesGathering(session.sources()).gather(pod))
              .map(evidence -> VariablesJudge.judge(evidence, only))
              .orElseThrow(
                  () ->
                      new FairleadException(
                          ErrorCode.FL303,
                          arguments.verb().operand(),
                          "pod/" + pod.name(),
                          "one that exists"));
      if (!session.print(VariablesDocument.of(report, context.clock().instant()))) {
        print(session, report, only);
      }
      return report.isFault() ? ExitCode.FAULT_FOUND : ExitCode.FINE;
    }
  }

  private static void print(InspectSession session, VariablesReport report, String only) {
    CommandContext context = session.context();
    String source = report.source().toString();
    for (VariablesReport.Variable each : report.variables()) {
      line(session, each.name() + "=" + each.value(), source, "");
    }
    for (VariablesReport.Missing each : report.missing()) {
      line(
          session,
          context.terminal().mark(Mark.NOTHING)
              + " "
              + context.text("env.missing", each.service(), each.count()),
          source,
          each.code().name());
    }
    for (Finding finding : report.findings()) {
      if (finding.code() != FindingCode.FL170) {
        Mark mark = finding.severity() == Severity.NOTE ? Mark.NOTHING : Mark.WARNING;
        line(
            session,
            context.terminal().mark(mark) + " " + session.texts().text(finding.sentence()),
            finding.source().toString(),
            finding.code().name());
      }
    }
    if (only.isEmpty()) {
      context
          .terminal()
          .out()
          .println(context.text("env.size", VariablesJudge.kilobytes(report.bytes())));
    }
  }

  private static void line(InspectSession session, String text, String source, String code) {
    session
        .context()
        .terminal()
        .out()
        .println(
            Columns.pad(text, SOURCE_COLUMN - 2)
                + "  "
                + source
                + (code.isEmpty() ? "" : "  " + code));
  }
}
