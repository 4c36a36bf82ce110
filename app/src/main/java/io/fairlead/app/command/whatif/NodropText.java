package io.fairlead.app.command.whatif;

import io.fairlead.app.cli.CommandContext;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.nodrop.LossGroup;
import io.fairlead.insight.nodrop.NoDropReport;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;

/// A report for people: the count first, then the causes.
record NodropText(CommandContext context, SentenceCatalog texts) {
  void print(NoDropReport report) {
    PrintStream out = context.terminal().out();
    NoDropReport.ConnectionTally tally = report.tally();
    NoDropReport.LongLived kept = report.longLived();
    StringBuilder line =
        new StringBuilder(
            context.text(
                "nodrop.new", grouped(tally.opened()), grouped(tally.ok()), grouped(tally.lost())));
    if (kept.opened() > 0) {
      line.append("      ")
          .append(
              context.text(
                  "nodrop.long",
                  kept.opened(),
                  kept.opened() - kept.ended() - kept.broken(),
                  kept.ended(),
                  kept.broken()));
    }
    line.append("      ")
        .append(
            context.text("nodrop.seconds", String.format(Locale.ROOT, "%.1f", report.seconds())));
    out.println(line);
    for (LossGroup group : report.groups()) {
      out.println(
          "  " + texts.text(group.sentence()) + group.code().map(code -> "   " + code).orElse(""));
    }
    if (!report.isProof()) {
      out.println(
          "  "
              + texts.text(
                  new Sentence(FindingCode.FL189.name(), Map.of("late", grouped(tally.late()))))
              + "   "
              + FindingCode.FL189);
    }
    report
        .commandExit()
        .filter(exit -> exit != 0)
        .ifPresent(exit -> out.println(context.text("nodrop.failed", exit)));
    boolean blind =
        report.hasLosses() && report.groups().stream().allMatch(each -> each.endpoint().isEmpty());
    if (blind) {
      out.println(context.text("nodrop.blind"));
    }
    report.groups().stream()
        .flatMap(each -> each.next().stream())
        .map(texts::text)
        .filter(text -> !text.isEmpty())
        .distinct()
        .forEach(text -> out.println(context.text("nodrop.next", text)));
  }

  /// `7 640`.
  private static String grouped(int number) {
    return String.format(Locale.ROOT, "%,d", number).replace(',', ' ');
  }
}
